"""Open-vocabulary labels: what may mean the same, what people decided about it, and the map that comes of it.

Start at `label_map` (what is applied on reading) and `review` (the acts it is made of). `proposals` suggests
merges: `wording` holds the rules (spelling, negation, modifiers), `embedding` the likeness of meanings from a
model on this machine, `names` a server's names for groups. `files` reads and writes the map as CSV, `board`
puts together what a reviewer sees. Closed dimensions are never mapped here: their other spellings are in the
schema. Nothing is merged without a person: proposals map nothing until they are accepted.
"""
