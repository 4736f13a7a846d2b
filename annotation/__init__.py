"""From images to agreed labels: study rounds, order, the annotator's session, consensus, comparison.

No Qt and no SQL. What the session needs of a store is its `AnswerBook` protocol; `storage.Store` and a
packet file both satisfy it. A study away from the lead's machine: `design`, `packet`, `packet_session`,
`merge`, `quality`, `adjudication`. May import `core` only. Start at `session`.
"""
