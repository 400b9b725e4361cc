"""The report as one HTML file: template, style, scripts, and what is filled into them."""
