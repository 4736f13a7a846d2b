"""The eight pages, each what is there, the next sensible act and what is running."""
