"""Tiny pipelines with random weights, built from configurations: no download, real classes.

Tokenizers are made in memory from the byte alphabet, one token a letter; `save_pretrained` writes a
folder like any model's, with safetensors.
"""

from __future__ import annotations

import functools
import warnings
from pathlib import Path
from typing import Any

NAMES = ("sdxl", "sd3", "flux", "qwen", "sd")
SPECIAL = (
    "<|im_start|>",
    "<|im_end|>",
    "<|vision_start|>",
    "<|vision_end|>",
    "<|image_pad|>",
    "<|video_pad|>",
)


def save(name: str, folder: Path) -> Path:
    """Build one of `NAMES` and save it in a folder."""
    import torch

    from core.generation.diffusers.loading import quiet

    with quiet(), warnings.catch_warnings(), torch.random.fork_rng():
        warnings.simplefilter("ignore")  # the libraries', about their own ways
        torch.manual_seed(0)
        pipe = {"sdxl": _sdxl, "sd3": _sd3, "flux": _flux, "qwen": _qwen, "sd": _sd}[name]()
        pipe.save_pretrained(folder)
    return folder


def row(name: str, folder: Path, **changes: Any) -> dict[str, Any]:
    """An entry of `generators.json` for a tiny model: two steps, 64 × 64, one thread."""
    made: dict[str, Any] = {
        "name": f"tiny-{name}",
        "folder": str(folder),
        "width": 64,
        "height": 64,
        "steps": 2,
        "dtype": "float32",
        "threads": 1,
    }
    return made | _OWN[name] | changes


_OWN: dict[str, dict[str, Any]] = {
    "sdxl": {"pipeline": "StableDiffusionXLPipeline", "guidance_scale": 5.0, "negative_prompt": ""},
    "sd3": {
        "pipeline": "StableDiffusion3Pipeline",
        "guidance_scale": 5.0,
        "negative_prompt": "",
        "max_sequence_length": 64,
    },
    "flux": {"pipeline": "FluxPipeline", "guidance_scale": 3.5, "max_sequence_length": 64},
    "qwen": {
        "pipeline": "QwenImagePipeline",
        "true_cfg_scale": 4.0,
        "negative_prompt": " ",
        "max_sequence_length": 64,
    },
    "sd": {"pipeline": "StableDiffusionPipeline", "guidance_scale": 5.0},
}


@functools.cache
def _letters() -> tuple[str, ...]:
    from tokenizers.pre_tokenizers import ByteLevel

    return tuple(sorted(ByteLevel.alphabet()))


def _clip_tokenizer() -> Any:
    import transformers

    words = [
        "<|startoftext|>",
        "<|endoftext|>",
        "<|pad|>",
        *_letters(),
        *(f"{one}</w>" for one in _letters()),
    ]
    numbers = {word: number for number, word in enumerate(words)}
    return transformers.CLIPTokenizer(vocab=numbers, merges=[], pad_token="<|pad|>", model_max_length=77)


def _t5_tokenizer() -> Any:
    import transformers

    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0)]
    pieces += [(chr(number), -3.0) for number in range(33, 127)]
    return transformers.T5Tokenizer(vocab=pieces, extra_ids=0, model_max_length=512)


def _qwen_tokenizer() -> Any:
    import transformers

    words = [*_letters(), "<|endoftext|>", *SPECIAL]
    return transformers.Qwen2Tokenizer(
        vocab={word: number for number, word in enumerate(words)},
        merges=[],
        model_max_length=1024,
        additional_special_tokens=list(SPECIAL),
    )


def _clip_config(width: int = 16) -> Any:
    import transformers

    return transformers.CLIPTextConfig(
        vocab_size=3 + 2 * len(_letters()),
        hidden_size=width,
        intermediate_size=32,
        num_attention_heads=2,
        num_hidden_layers=2,
        projection_dim=16,
        bos_token_id=0,
        eos_token_id=1,
        pad_token_id=2,
    )


def _t5(width: int) -> Any:
    import transformers

    config = transformers.T5Config(
        vocab_size=128,
        d_model=width,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_heads=2,
        feed_forward_proj="gated-gelu",
    )
    return transformers.T5EncoderModel(config).eval()


def _vae(**more: Any) -> Any:
    import diffusers

    return diffusers.AutoencoderKL(
        block_out_channels=(8, 8, 16, 16),
        down_block_types=("DownEncoderBlock2D",) * 4,
        up_block_types=("UpDecoderBlock2D",) * 4,
        latent_channels=4,
        norm_num_groups=4,
        layers_per_block=1,
        sample_size=64,
        **more,
    )


def _euler() -> Any:
    import diffusers

    return diffusers.EulerDiscreteScheduler(
        beta_start=0.00085,
        beta_end=0.012,
        beta_schedule="scaled_linear",
        steps_offset=1,
        timestep_spacing="leading",
    )


def _sdxl() -> Any:
    import diffusers
    import transformers

    unet = diffusers.UNet2DConditionModel(
        sample_size=8,
        in_channels=4,
        out_channels=4,
        block_out_channels=(16, 32),
        layers_per_block=1,
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=(2, 4),
        use_linear_projection=True,
        transformer_layers_per_block=1,
        cross_attention_dim=32,
        addition_embed_type="text_time",
        addition_time_embed_dim=8,
        projection_class_embeddings_input_dim=6 * 8 + 16,
    )
    return diffusers.StableDiffusionXLPipeline(
        vae=_vae(),
        text_encoder=transformers.CLIPTextModel(_clip_config()),
        text_encoder_2=transformers.CLIPTextModelWithProjection(_clip_config()),
        tokenizer=_clip_tokenizer(),
        tokenizer_2=_clip_tokenizer(),
        unet=unet,
        scheduler=_euler(),
    )


def _sd() -> Any:
    """With a safety checker: a random one, which objects to nothing unless a test makes it."""
    import diffusers
    import transformers
    from diffusers.pipelines.stable_diffusion.safety_checker import StableDiffusionSafetyChecker

    unet = diffusers.UNet2DConditionModel(
        sample_size=8,
        in_channels=4,
        out_channels=4,
        block_out_channels=(16, 32),
        layers_per_block=1,
        norm_num_groups=4,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
        attention_head_dim=4,
        cross_attention_dim=16,
    )
    vision = {
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "image_size": 32,
        "patch_size": 16,
    }
    checker = StableDiffusionSafetyChecker(transformers.CLIPConfig(vision_config=vision, projection_dim=16))
    checker.concept_embeds_weights.data.fill_(2.0)
    checker.special_care_embeds_weights.data.fill_(2.0)
    side = {"height": 32, "width": 32}
    return diffusers.StableDiffusionPipeline(
        vae=_vae(),
        text_encoder=transformers.CLIPTextModel(_clip_config()),
        tokenizer=_clip_tokenizer(),
        unet=unet,
        scheduler=_euler(),
        safety_checker=checker,
        feature_extractor=transformers.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size=side),
    )


def _sd3() -> Any:
    import diffusers
    import transformers

    transformer = diffusers.SD3Transformer2DModel(
        sample_size=8,
        patch_size=2,
        in_channels=4,
        out_channels=4,
        num_layers=2,
        attention_head_dim=8,
        num_attention_heads=2,
        caption_projection_dim=16,
        joint_attention_dim=32,
        pooled_projection_dim=32,
    )
    return diffusers.StableDiffusion3Pipeline(
        transformer=transformer,
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
        vae=_vae(shift_factor=0.06),
        text_encoder=transformers.CLIPTextModelWithProjection(_clip_config()),
        tokenizer=_clip_tokenizer(),
        text_encoder_2=transformers.CLIPTextModelWithProjection(_clip_config()),
        tokenizer_2=_clip_tokenizer(),
        text_encoder_3=_t5(32),
        tokenizer_3=_t5_tokenizer(),
    )


def _flux() -> Any:
    import diffusers
    import transformers

    transformer = diffusers.FluxTransformer2DModel(
        patch_size=1,
        in_channels=16,
        num_layers=1,
        num_single_layers=1,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=16,
        pooled_projection_dim=16,
        axes_dims_rope=(4, 6, 6),
        guidance_embeds=True,
    )
    return diffusers.FluxPipeline(
        transformer=transformer,
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
        vae=_vae(shift_factor=0.06),
        text_encoder=transformers.CLIPTextModel(_clip_config()),
        tokenizer=_clip_tokenizer(),
        text_encoder_2=_t5(16),
        tokenizer_2=_t5_tokenizer(),
    )


def _qwen() -> Any:
    import diffusers
    import transformers

    channels = 4
    transformer = diffusers.QwenImageTransformer2DModel(
        patch_size=2,
        in_channels=4 * channels,
        out_channels=channels,
        num_layers=1,
        attention_head_dim=16,
        num_attention_heads=2,
        joint_attention_dim=16,
        axes_dims_rope=(4, 6, 6),
    )
    vae = diffusers.AutoencoderKLQwenImage(
        base_dim=8,
        z_dim=channels,
        dim_mult=[1, 1, 2, 2],
        num_res_blocks=1,
        temperal_downsample=[False, True, True],
        latents_mean=[0.0] * channels,
        latents_std=[1.0] * channels,
    )
    first = len(_letters())
    text = {
        "vocab_size": first + 7,
        "hidden_size": 16,
        "intermediate_size": 32,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "bos_token_id": first,
        "eos_token_id": first,
        "pad_token_id": first,
        "rope_scaling": {"mrope_section": [1, 1, 2], "rope_type": "default", "type": "default"},
        "rope_theta": 1e6,
    }
    vision = {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "out_hidden_size": 16}
    config = transformers.Qwen2_5_VLConfig(
        text_config=text,
        vision_config=vision,
        vision_start_token_id=first + 3,
        vision_end_token_id=first + 4,
        image_token_id=first + 5,
        video_token_id=first + 6,
    )
    return diffusers.QwenImagePipeline(
        transformer=transformer,
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(),
        vae=vae,
        text_encoder=transformers.Qwen2_5_VLForConditionalGeneration(config).eval(),
        tokenizer=_qwen_tokenizer(),
    )
