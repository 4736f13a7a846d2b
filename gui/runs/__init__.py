"""Runs of a study on an axis of time, and what failed in them."""
