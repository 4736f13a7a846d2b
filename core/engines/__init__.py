"""Engines carry out the work of a generator: here, on several machines with Ray, or through SLURM.

Every engine takes tasks and gives reports (`core.generation.reports`), one image or reason for every task,
in any order; the one writer of a study takes them as they come. `local` is the default. `ray_engine`
needs `requirements-cluster.txt`. `slurm` writes its work to a folder, and what was finished there is taken
in later; it has no reports while a cluster works.
"""
