"""A real headless Chromium without a network, and the page open in it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip


@contextmanager
def chromium(profile: Path) -> Iterator[Browser]:
    """Start Chromium; skips the test where it is not installed."""
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if browser is None or driver is None:
        pytest.skip("needs Chromium and its driver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = browser
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield Browser(started)
    finally:
        started.quit()


class Browser:
    """Opens pages from disk and looks at them."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, path: Path, width: int = 1280, **media: str) -> None:
        """Open a page afresh at a width, with every chart drawn; `media` emulates media features."""
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        self._log("browser")
        self._log("performance")
        self.driver.get("about:blank")
        self.driver.get(path.as_uri())
        self.settle()

    def settle(self) -> None:
        """Wait until all charts are drawn and at rest."""
        script = (
            "const done = arguments[0]; figures.drawAll(page.data, page.state)"
            ".then((views) => Promise.all(views.map((view) => view.runAsync()))).then(() => done(null), "
            "(error) => done(String(error)));"
        )
        assert self.driver.execute_async_script(script) is None

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and give what it returns."""
        return self.driver.execute_script(script, *arguments)

    def errors(self) -> list[str]:
        """Console messages since the page was opened that are errors or warnings."""
        return [entry["message"] for entry in self._log("browser") if entry["level"] != "INFO"]

    def requests(self) -> list[str]:
        """Addresses asked for since the page was opened; what the page's own policy refused is marked."""
        events = [json.loads(entry["message"])["message"] for entry in self._log("performance")]
        refused = {
            event["params"]["requestId"]
            for event in events
            if event["method"] == "Network.loadingFailed" and event["params"].get("blockedReason") == "csp"
        }
        asked = [event["params"] for event in events if event["method"] == "Network.requestWillBeSent"]
        return [
            f"refused {sent['request']['url']}" if sent["requestId"] in refused else str(sent["request"]["url"])
            for sent in asked
            if not sent["request"]["url"].startswith(("about:", "data:"))
        ]

    def _log(self, kind: str) -> list[dict[str, Any]]:
        entries: list[dict[str, Any]] = self.driver.get_log(kind)  # type: ignore[no-untyped-call]
        return entries
