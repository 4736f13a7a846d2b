"""Contexts for new roles: proposed, judged, looked at by our own rules, and decided by a person, one by one.

Start at `candidate` (a context that may enter the bank, and the acts that decide it). `rules` says what is
wrong with one and which are near-duplicates; `asking` lets a server propose and judge; `files` reads and
writes candidates as CSV and JSON; `preview` shows the prompts that would come of them. Nothing enters a bank
that nobody accepted, and who decided what is kept.
"""
