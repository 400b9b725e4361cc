// Tables as text for other programs. Pure functions: rows are arrays of strings, the header first.
"use strict";

const copying = (() => {
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
  const FORMULA = /^[=+\-@\t\r]/;
  const LATEX = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "$": "\\$", "&": "\\&", "#": "\\#", "%": "\\%", "_": "\\_",
    "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "<": "\\textless{}", ">": "\\textgreater{}",
    "\u2212": "$-$", "\u2014": "---", "\u0394": "$\\Delta$",
  };

  const isNumber = (text) => NUMBER.test(text);

  // A spreadsheet takes what begins like a formula for one; an apostrophe makes it text (OWASP, CSV injection).
  function csvCell(text) {
    const inert = FORMULA.test(text) && !isNumber(text) ? "'" + text : text;
    return /[",\r\n]/.test(inert) ? '"' + inert.replaceAll('"', '""') + '"' : inert;
  }

  const csv = (rows) => rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";

  const markdownCell = (text) =>
    text
      .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
      .replace(/[\\`*|~$#[\]]/g, "\\$&").replace(/[\r\n]+/g, " ");

  function numeric(rows, column) {
    const cells = rows.slice(1).map((row) => row[column]).filter((text) => text !== "" && text !== "\u2014");
    return cells.length > 0 && cells.every(isNumber);
  }

  function markdown(rows) {
    const rule = rows[0].map((_, column) => (numeric(rows, column) ? "---:" : "---"));
    const lines = [rows[0].map(markdownCell), rule, ...rows.slice(1).map((row) => row.map(markdownCell))];
    return lines.map((line) => "| " + line.join(" | ") + " |").join("\n") + "\n";
  }

  const latexCell = (text) =>
    text.replace(/[\\{}$&#%_^~<>\u2212\u2014\u0394]/g, (found) => LATEX[found]).replace(/[\r\n]+/g, " ");

  function latex(rows) {
    const columns = rows[0].map((_, column) => (numeric(rows, column) ? "r" : "l")).join("");
    const line = (row) => row.map(latexCell).join(" & ") + " \\\\";
    return [
      "% needs \\usepackage{booktabs}", "\\begin{tabular}{" + columns + "}", "\\toprule", line(rows[0]), "\\midrule",
      ...rows.slice(1).map(line), "\\bottomrule", "\\end{tabular}", "",
    ].join("\n");
  }

  return { csv, markdown, latex };
})();
