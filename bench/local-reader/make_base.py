"""Makes a GLiNER model with random weights in the dimensions of a base model: 12 layers, 768 wide. For bench/local-reader.ts.

    /tmp/gliner-venv/bin/python bench/local-reader/make_base.py FOLDER

scripts/models/export_gliner.py says how the environment is made. The vocabulary is small: its size changes the file, not the time.
"""
import pathlib, sys
import torch
import transformers as hf
import gliner.config as configs
from gliner import model as classes

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts/models"))
from export_gliner import export

tokenizer = hf.PreTrainedTokenizerFast.from_pretrained(ROOT / "packages/server/test/models/fixtures/deberta-v2", model_max_length=512)
encoder = dict(model_type="deberta-v2", vocab_size=len(tokenizer), hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
               intermediate_size=3072, max_position_embeddings=512, relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm",
               share_att_key=True, pos_att_type=["p2c", "c2p"], position_biased_input=False, type_vocab_size=0, pad_token_id=1)
torch.manual_seed(16)
cls = classes.UniEncoderSpanGLiNER
config = configs.UniEncoderSpanConfig(model_name="base", hidden_size=768, encoder_config=encoder, max_len=384, max_width=12, dropout=0.0)
cls._set_tokenizer_spec_tokens(tokenizer)
model = cls(config, tokenizer=tokenizer, backbone_from_pretrained=False)
cls._resize_token_embeddings(model, config, tokenizer, True)
export(model.eval(), sys.argv[1])
