"""The phantom: a small text-to-image diffusion model whose training bias is known.

It is trained here, on pictures drawn here, with a planted association between role, condition and what a
person looks like. What an audit must find in its pictures is therefore written down: `resources/phantom`
holds what was planted, and what the finished model really does, measured on many seeds.

    captions     what a training picture is of: caption, role, condition, stated attributes
    pictures     one training picture
    data         all of them, in a folder                       (job)
    latents      a picture as 8 × 8 × 32 numbers: principal components of patches
    decoder      numbers back to a picture of 128 pixels        (job)
    words        the tokenizer, and its text encoder
    denoiser     the model itself, by flow matching             (job)
    network      the reader: what is on a drawn picture
    reading      trains it                                      (job)
    assembling   the folder that a standard pipeline class loads
    measuring    the reference truth: the model's own rates     (job)
"""

NAME = "phantom"
"""The generator's name in a study."""
