"""What a design can and cannot show, from the design alone, before an image is made.

`design` holds the numbers of a design and refuses impossible ones; `findings` what comes out; both are
light. `clusters` draws counts of images whose prompts are clusters. `change`, `margin`, `stable` and
`kappa` answer one question each with the very rules that the analysis uses, and `panel` is the job that asks
them all. Everything is Monte Carlo with a stated seed; where there is a closed form, the tests hold the
draws against it.
"""
