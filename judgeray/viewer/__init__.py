"""A local viewer of verdicts that reads only the rows it shows, however many there are."""
