"""Answer ladders: from a question's reference to answers A0 to A4, each with more facts made wrong.

Study 2 (arXiv 2609.15561), section 3 and appendix A. `ladder.ladder` is the procedure, the other files its steps.
"""
