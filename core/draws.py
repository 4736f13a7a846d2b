"""How many draws an interval rests on where nobody says, the same in the window and on the command line."""

from __future__ import annotations

OF_RESULTS = {"audit": 2000, "paper": 1000}
"""By mode: BCa needs percentiles far out, which a thousand draws show only roughly; published were 1,000."""

OF_AGREEMENT = 1000
