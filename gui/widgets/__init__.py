"""Parts painted by hand, from palette roles only."""
