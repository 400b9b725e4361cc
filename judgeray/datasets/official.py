"""The public benchmark files: official address, name on disk, and what is known of their content."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OfficialFile:
    """One file to fetch.

    `member` is the file wanted from a zip archive, None where the address serves the file itself. `sha256`
    is that of the file as kept on disk, None where no checksum is published or could be established.
    """

    url: str
    file_name: str
    member: str | None = None
    sha256: str | None = None
    about: str = ""


_TRUTHFULQA = "https://raw.githubusercontent.com/sylinrl/TruthfulQA"

OFFICIAL: dict[str, OfficialFile] = {
    "truthfulqa": OfficialFile(
        url=f"{_TRUTHFULQA}/fdd8ad1c0d00a478cf8b0bb41a3ad8378c16293b/TruthfulQA.csv",
        file_name="TruthfulQA.csv",
        sha256="f9bd9e859cc102cb1f647f1064da7e009be752c416845cf9fa56e6eaae403a7d",
        about=(
            "817 questions, the file of study 1, Apache-2.0. The address is pinned to the last commit before "
            "the release of January 2025; the checksum is that of the file in that commit."
        ),
    ),
    "truthfulqa-2025": OfficialFile(
        url=f"{_TRUTHFULQA}/d71c110897f5d31c5d7f309e7bc316c152f6f031/TruthfulQA.csv",
        file_name="TruthfulQA-2025.csv",
        sha256="b8d8ef1e12f98b4f2a9f47abc9765da0640b182b6c5d9b92f0c1a1f2f1e02e5c",
        about="790 questions, the release of January 2025, Apache-2.0; pinned and checked in the same way.",
    ),
    "asqa": OfficialFile(
        url="https://storage.googleapis.com/gresearch/ASQA/data/ASQA.json",
        file_name="ASQA.json",
        about=(
            "Splits train and dev by id. The address is the bucket named by the README of google-research/"
            "language since June 2022, over HTTPS. No checksum is published. Whether its dev split stands in "
            "the order from which study 1 takes its first 200 questions has not been checked."
        ),
    ),
    "qampari": OfficialFile(
        url="https://aggreg-qa.s3.amazonaws.com/qampari.zip",
        file_name="qampari_dev.jsonl",
        member="dev_data.jsonl",
        about=(
            "1,000 dev questions as JSON lines, CC0; the archive of about 108 MB holds train and test too. The "
            "address is that of the project's website. No checksum is published. Whether the file stands in "
            "the order from which study 1 takes its first 200 questions (ALCE's) has not been checked."
        ),
    ),
}
