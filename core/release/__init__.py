"""A study's pictures for others: a folder that the `imagefolder` loader of Hugging Face datasets reads.

`marking` writes into each picture that it is made by a machine, without touching a pixel, and can take that
out again byte for byte; `card` is the dataset card; `folder` is the job that writes pictures, `metadata.csv`,
the card and checksums. `main.py import-images` takes the folder back, with `metadata.csv` as its map.
"""
