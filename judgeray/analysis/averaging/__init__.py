"""Tables of study 3: do people call a whole faithful by the minimum of its parts, or by their mean?"""
