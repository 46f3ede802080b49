"""Writes a GLiNER model as a folder that `kcs-server models add FOLDER` takes: ONNX files, tokenizers and gliner_config.json.

Only for models whose repository has no ONNX file, and for those with relations or with an encoder for labels: the exporter of
the library fixes the number of entities of such graphs, or leaves the encoder of the labels out. The service needs no Python.

    python3 -m venv /tmp/gliner-venv
    /tmp/gliner-venv/bin/pip install gliner==0.2.29 onnx==1.23.2 onnxruntime==1.32.0 onnxscript==0.7.2
    /tmp/gliner-venv/bin/python scripts/models/export_gliner.py OWNER/NAME FOLDER
"""
import pathlib, shutil, sys, tempfile
import torch
from gliner import GLiNER
from gliner.modeling.utils import extract_prompt_features

OPTIONS = dict(opset_version=17, dynamo=False)
EXAMPLE = "Anna of Rome met a group of friends"


def export(model, folder):
    """`model` is one of the library's classes, such as UniEncoderSpanGLiNER."""
    folder = pathlib.Path(folder)
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    model.eval()
    config = model.config
    if hasattr(model.model, "decoder") or getattr(config, "decoder_config", None) is not None:
        raise SystemExit("Models that generate labels or read streams are not supported.")
    if getattr(config, "relations_layer", None) not in (None, "none", "dot", "mlp", "bilinear"):
        raise SystemExit(f"The relations layer {config.relations_layer} is not supported: it has operators that ONNX lacks, or reads all pairs together.")
    if getattr(config, "labels_encoder", None):
        write_labels_encoder(model, folder)
        write_text_encoder(model, folder)
    elif getattr(config, "relations_layer", None):
        write_relex(model, folder)
    else:
        write_graph(model, folder)
    (folder / "gliner_config.json").write_text(config.to_json_string())
    model.data_processor.transformer_tokenizer.save_pretrained(folder)


def write_graph(model, folder):
    with tempfile.TemporaryDirectory() as place:
        model.export_to_onnx(place)
        for path in pathlib.Path(place).glob("*"):
            if path.name.startswith("model.onnx") or "Constant" in path.name:
                shutil.move(path, folder / "onnx" / path.name)


def write_labels_encoder(model, folder):
    class Labels(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = model.model.token_rep_layer

        def forward(self, input_ids, attention_mask):
            return self.layer.encode_labels(input_ids, attention_mask)

    tokenizer = model.data_processor.labels_tokenizer
    encoded = tokenizer(["organization", "a person"], return_tensors="pt", padding="longest")
    names = ["input_ids", "attention_mask"]
    axes = {name: {0: "labels", 1: "tokens"} for name in names} | {"labels_embeddings": {0: "labels"}}
    with torch.no_grad():
        torch.onnx.export(Labels().eval(), tuple(encoded[name] for name in names), str(folder / "onnx/labels_encoder.onnx"),
                          input_names=names, output_names=["labels_embeddings"], dynamic_axes=axes, **OPTIONS)
    tokenizer.save_pretrained(folder / "labels_encoder")


def write_text_encoder(model, folder):
    names = model._get_base_input_names() + ["labels_embeddings"]

    class Text(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.core = model.model

        def forward(self, *inputs):
            return self.core(**dict(zip(names[:-1], inputs)), labels_embeds=inputs[-1]).logits

    prepared = model.prepare_batch([EXAMPLE], ["person", "place"])
    batch = model.collate_batch(prepared["input_x"], prepared["entity_types"])
    with torch.no_grad():
        labels = model.model.token_rep_layer.encode_labels(batch["labels_input_ids"], batch["labels_attention_mask"])
        axes = {name: {0: "batch_size", 1: "length"} for name in names[:-1]}
        is_token = "span_idx" not in names
        axes |= {"labels_embeddings": {0: "classes"}, "logits": {1: "words", (2 if is_token else 3): "classes"}}
        torch.onnx.export(Text().eval(), (*(batch[name] for name in names[:-1]), labels), str(folder / "onnx/model.onnx"),
                          input_names=names, output_names=["logits"], dynamic_axes=axes, **OPTIONS)


def write_relex(model, folder):
    """Two graphs: the words and labels of a text, and the relations of the entities that were chosen among its spans."""
    core = model.model
    is_token = core.config.span_mode == "token_level"

    class Text(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.core = core

        def forward(self, input_ids, attention_mask, words_mask, text_lengths, span_idx=None, span_mask=None):
            core = self.core
            states = core.token_rep_layer(input_ids, attention_mask)
            prompts, prompts_mask, words, mask = core._extract_prompt_features_and_word_embeddings(
                states, input_ids, attention_mask, text_lengths, words_mask)
            if hasattr(core, "rnn"):
                words = core.rnn(words, mask)
            size = prompts.shape[-1]
            relations, _ = extract_prompt_features(core.config.rel_token_index, states, input_ids, attention_mask,
                                                   input_ids.shape[0], size, core.config.embed_rel_token)
            prompts = core.prompt_rep_layer(prompts)
            if is_token:
                return core.scorer(words, prompts), words, relations
            spans = core.span_rep_layer(words, span_idx * span_mask.unsqueeze(-1))
            return torch.einsum("BLKD,BCD->BLKC", spans, prompts), spans, relations

    class Relations(torch.nn.Module):
        """Of `entities` (1, E, D), or of spans (1, E, 2) of words: adjacency (1, E, E) and scores of all pairs (1, E, E, R)."""

        def __init__(self):
            super().__init__()
            self.core = core

        def forward(self, relations, states, spans=None):
            core = self.core
            entities = core.span_rep_layer(states, spans) if is_token else states
            count, size = entities.shape[1], entities.shape[2]
            mask = torch.ones_like(entities[..., 0])
            has_filter = hasattr(core, "relations_rep_layer")
            adjacency = core.relations_rep_layer(entities, mask) if has_filter else torch.ones_like(entities @ entities.transpose(1, 2))
            heads = entities.unsqueeze(2).expand(-1, -1, count, -1).reshape(1, -1, size)
            tails = entities.unsqueeze(1).expand(-1, count, -1, -1).reshape(1, -1, size)
            kinds = relations.shape[1]
            if hasattr(core, "pair_rep_layer"):
                pairs = core.pair_rep_layer(torch.cat((heads, tails), dim=-1))
                scores = torch.einsum("BND,BCD->BNC", pairs, relations)
            else:
                wide = lambda side: side.unsqueeze(2).expand(-1, -1, kinds, -1).reshape(-1, size)
                labels = relations.unsqueeze(1).expand(-1, heads.shape[1], -1, -1).reshape(-1, size)
                scores = core.triples_score_layer(wide(heads), labels, wide(tails))
            return adjacency, scores.reshape(1, count, count, kinds)

    with torch.no_grad():
        batch = example(model)
        names = ["input_ids", "attention_mask", "words_mask", "text_lengths"] + ([] if is_token else ["span_idx", "span_mask"])
        states = "word_states" if is_token else "span_states"
        axes = {name: {0: "batch_size", 1: "length"} for name in names}
        axes |= {"logits": {1: "words", 2: "classes" if is_token else "widths", **({} if is_token else {3: "classes"})},
                 states: {1: "words"}, "relation_states": {1: "relations"}}
        torch.onnx.export(Text().eval(), tuple(batch[name] for name in names), str(folder / "onnx/model.onnx"), input_names=names,
                          output_names=["logits", states, "relation_states"], dynamic_axes=axes, **OPTIONS)
        _, values, relations = Text().eval()(*(batch[name] for name in names))
        entities = values if is_token else values.flatten(1, 2)[:, :3]
        spans = (torch.tensor([[[0, 1], [1, 1], [2, 3]]]),) if is_token else ()
        inputs = ["relation_states", "word_states", "span_idx"] if is_token else ["relation_states", "entity_states"]
        axes = {"relation_states": {1: "relations"}, "word_states": {1: "words"}, "entity_states": {1: "entities"}, "span_idx": {1: "entities"},
                "adjacency": {1: "entities", 2: "entities"}, "rel_logits": {1: "entities", 2: "entities", 3: "relations"}}
        outputs = ["adjacency", "rel_logits"]
        torch.onnx.export(Relations().eval(), (relations, entities, *spans), str(folder / "onnx/relations.onnx"), input_names=inputs,
                          output_names=outputs, dynamic_axes={name: axes[name] for name in inputs + outputs}, **OPTIONS)


def example(model):
    prepared = model.prepare_batch([EXAMPLE], ["person", "place"], relations=["of", "met"])
    return model.collate_batch(prepared["input_x"], prepared["entity_types"], relation_types=prepared["relation_types"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    export(GLiNER.from_pretrained(sys.argv[1]), sys.argv[2])
    print(f"Add it: kcs-server models add {sys.argv[2]}")
