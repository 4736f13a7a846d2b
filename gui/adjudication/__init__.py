"""Adjudicating after the lock: `panel` is the view, `case_card` one case, `decision` what is decided."""
