"""The phantom's words: a tokenizer made of its captions, and the text encoder that is trained with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.phantom.captions import all_words

if TYPE_CHECKING:
    from torch import Tensor

LENGTH = 28
"""Tokens a caption is cut or filled to."""

WIDTH = 128
_START, _END = "<|startoftext|>", "<|endoftext|>"


def make_tokenizer(captions: Iterable[str]) -> Any:
    """A `CLIPTokenizer` in which every word of the captions is one token.

    The whole byte alphabet is in it, so a word it has never seen is spelt out and never an error (it means
    nothing to the model).
    """
    from tokenizers import Tokenizer
    from tokenizers.models import BPE
    from tokenizers.trainers import BpeTrainer
    from transformers import CLIPTokenizer

    byte_level = _bytes()
    vocabulary = {_START: 0, _END: 1}
    for suffix in ("", "</w>"):
        for letter in byte_level:
            vocabulary[letter + suffix] = len(vocabulary)
    plain = CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=LENGTH).backend_tokenizer
    learner = Tokenizer(BPE(end_of_word_suffix="</w>"))
    learner.normalizer, learner.pre_tokenizer = plain.normalizer, plain.pre_tokenizer
    trainer = BpeTrainer(
        vocab_size=20_000, min_frequency=1, initial_alphabet=byte_level, end_of_word_suffix="</w>",
        show_progress=False,
    )  # fmt: skip
    learner.train_from_iterator(sorted(set(captions)), trainer)
    merges = _merges(learner)
    for left, right in merges:
        vocabulary.setdefault(left + right, len(vocabulary))
    made: Any = CLIPTokenizer
    return made(vocab=vocabulary, merges=merges, model_max_length=LENGTH)


def kept_tokenizer(folder: Path, start: Path | None = None) -> Any:
    """The tokenizer of a training, made once and then read from its folder.

    Pairs of letters that are equally frequent fall in another order in every process, so a training that is
    resumed must not make it again.

    Parameters
    ----------
    folder : Path
        Of the training; gets a folder `tokenizer`.
    start : Path, optional
        Folder of an earlier phantom whose tokenizer is taken, with its weights.
    """
    from transformers import CLIPTokenizer

    kept = folder / "tokenizer"
    if not kept.is_dir():
        earlier = start and CLIPTokenizer.from_pretrained(str(start / "tokenizer"), local_files_only=True)
        (earlier or make_tokenizer(all_words())).save_pretrained(str(kept))
    return CLIPTokenizer.from_pretrained(str(kept), local_files_only=True)


def make_text_encoder(tokenizer: Any) -> Any:
    """An untrained `CLIPTextModel` for a tokenizer: two layers, 128 wide."""
    from transformers import CLIPTextConfig, CLIPTextModel

    return CLIPTextModel(
        CLIPTextConfig(
            vocab_size=len(tokenizer),
            hidden_size=WIDTH,
            intermediate_size=2 * WIDTH,
            projection_dim=WIDTH,
            num_hidden_layers=2,
            num_attention_heads=4,
            max_position_embeddings=LENGTH,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    )


def token_ids(tokenizer: Any, captions: Sequence[str]) -> Tensor:
    """Token numbers of captions, (n, LENGTH), as the pipeline makes them."""
    filled = tokenizer(
        list(captions), padding="max_length", max_length=LENGTH, truncation=True, return_tensors="pt"
    )
    ids: Tensor = filled.input_ids
    return ids


def _bytes() -> list[str]:
    from tokenizers.pre_tokenizers import ByteLevel

    return sorted(ByteLevel.alphabet())


def _merges(learner: Any) -> list[tuple[str, str]]:
    import json

    found = json.loads(learner.to_str())["model"]["merges"]
    return [tuple(each) if isinstance(each, list) else tuple(each.split(" ")) for each in found]
