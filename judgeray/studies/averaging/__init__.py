"""Study 3: does one human label for a summary behave like the minimum or the mean of its sentences?"""
