"""Makes the fixtures of this folder: tiny GLiNER models with random weights, and what the library reads with them.

Only for development; the outputs are committed. Needs no network and no weights:

    python3 -m venv /tmp/gliner-venv
    /tmp/gliner-venv/bin/pip install gliner==0.2.29 torch==2.15.0 transformers==5.16.1 \
        onnx==1.23.2 onnxruntime==1.32.0 onnxscript==0.7.2
    /tmp/gliner-venv/bin/python packages/server/test/models/gliner/make_gliner.py

For each model there are its files as scripts/models/export_gliner.py writes them, and `expected.json`: for each text of
../fixtures/texts.json the windows that are read, each with its spans and relations as PyTorch computes them. Offsets count
UTF-16 units. Words without any token are left out before: the library would number the words behind them wrongly.
"""
import json, pathlib, shutil, sys, warnings
import torch
import transformers as hf
import gliner.config as configs
from gliner import model as classes

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parent / "fixtures"), str(HERE.parents[3].parent / "scripts/models")]
from export_gliner import export
from shorten import shorten
from texts import texts

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
TEXTS = texts()
LABELS = ["person", "place", "date of birth", "\u00e9v\u00e9nement (event)", "C++"]
RELATIONS = ["lives in", "works for"]
MAX_TOKENS, MAX_WORDS, MAX_WIDTH = 120, 24, 3
SIZES = dict(hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, initializer_range=1.0, max_position_embeddings=128)
KEPT = ["gliner_config.json", "tokenizer.json", "tokenizer_config.json", "labels_encoder/tokenizer.json", "labels_encoder/tokenizer_config.json"]


def tokenizer(name):
    return hf.PreTrainedTokenizerFast.from_pretrained(HERE.parent / "fixtures" / name, model_max_length=MAX_TOKENS)


def build(name, base, encoder, seed, labels=None, **settings):
    torch.manual_seed(seed)
    cls = getattr(classes, f"{name}GLiNER")
    text = tokenizer(base)
    encoder = dict(vocab_size=len(text), **encoder, **SIZES)
    extra = {"labels_tokenizer": tokenizer(labels[0])} if labels else {}
    if labels:
        settings |= dict(labels_encoder=labels[0], labels_encoder_config=dict(vocab_size=len(extra["labels_tokenizer"]), **labels[1], **SIZES))
    config = getattr(configs, f"{name}Config")(model_name=base, hidden_size=8, encoder_config=encoder, max_len=MAX_WORDS, max_width=MAX_WIDTH,
                                               dropout=0.0, **settings)
    model = cls(config, tokenizer=text, backbone_from_pretrained=False, **extra)
    if not labels:
        cls._set_tokenizer_spec_tokens(text)
        cls._resize_token_embeddings(model, config, text, True)
    return model.eval()


def sample(model, settings, threshold):
    """Scores of some texts: of entities as the decoder sees them, and of relations."""
    found, kinds = [], []
    for text in TEXTS[73:200:6]:
        for window in windows(model, text, 45)[:1]:
            batch, _ = batch_of(model, window, settings)
            with torch.no_grad():
                output = model.model(**batch, **({"threshold": threshold, "adjacency_threshold": threshold} if settings else {}))
            scores = torch.sigmoid(output.logits)
            found.append((scores.min(-1).values if hasattr(model.model, "scorer") else scores).flatten())
            if settings and output.rel_mask.any():
                kinds.append(torch.sigmoid(output.rel_logits[output.rel_mask]).flatten())
    return torch.cat(found), torch.cat(kinds) if kinds else torch.zeros(1)


def spread(model, settings):
    """Random weights score everything 0.5: the last layers are made larger until scores differ. Thresholds that few scores exceed; None without."""
    core = model.model
    last = [core.scorer.out_mlp[-1] if hasattr(core, "scorer") else core.prompt_rep_layer[-1]]
    if settings:
        last.append(core.pair_rep_layer[-1])
    share = 0.97 if hasattr(core, "scorer") else 0.985
    threshold = 0.999
    for at, layer in enumerate(last):
        scale = 1.2 / torch.logit(sample(model, settings, threshold)[at]).std().clamp_min(1e-3)
        with torch.no_grad():
            layer.weight *= scale
            layer.bias *= scale
        entities, kinds = sample(model, settings, threshold)
        middle, threshold = torch.quantile(entities, torch.tensor([0.5, share])).tolist()
    known = torch.quantile(kinds, 0.9).item()
    is_usable = threshold - middle > 0.1 and 0.3 < threshold < 0.95 and (not settings or 0.3 < known < 0.95)
    return (round(threshold, 3), round(known, 3)) if is_usable else None


def batch_of(model, window, settings):
    model.data_processor.words_splitter = lambda text: iter(window)
    prepared = model.prepare_batch(["x"], LABELS, **settings)
    kinds = {"relation_types": prepared["relation_types"]} if settings else {}
    return model.collate_batch(prepared["input_x"], prepared["entity_types"], **kinds), prepared


def windows(model, text, prompt):
    """As many words as fit, then again from a quarter before the end."""
    words = list(split(text))
    tokens = model.data_processor.transformer_tokenizer
    ids = tokens([w for w, _, _ in words], is_split_into_words=True, add_special_tokens=False).word_ids() if words else []
    counts = [ids.count(at) for at in range(len(words))]
    words, counts = [w for w, n in zip(words, counts) if n], [n for n in counts if n]
    room, found, start = MAX_TOKENS - prompt, [], 0
    while start < len(words):
        end, used = start + 1, counts[start]
        while end < len(words) and end - start < MAX_WORDS and used + counts[end] <= room:
            used += counts[end]
            end += 1
        found.append(words[start:end])
        if end == len(words):
            break
        start = max(start + 1, end - (end - start) // 4)
    return found


def read(model, text, window, settings, thresholds):
    model.data_processor.words_splitter = lambda _: iter(window)
    entities, kinds = thresholds
    wanted = {"relations": RELATIONS, "adjacency_threshold": entities, "relation_threshold": kinds} if settings else {}
    both = model.inference([text], LABELS, threshold=entities, **wanted)
    nested = model.inference([text], LABELS, threshold=entities, flat_ner=False, **wanted)
    spans, relations = (both[0][0], both[1][0]) if settings else (both[0], [])
    nested = nested[0][0] if settings else nested[0]
    unit = lambda at: len(text[:at].encode("utf-16-le")) // 2
    row = lambda s: [unit(s["start"]), unit(s["end"]), LABELS.index(s["label"]), round(s["score"], 5)]
    result = {"words": len(window), "spans": [row(s) for s in spans]}
    if [row(s) for s in nested] != result["spans"]:
        result["nested"] = [row(s) for s in nested]
    if relations:
        result["relations"] = [[r["head"]["entity_idx"], r["tail"]["entity_idx"], RELATIONS.index(r["relation"]), round(r["score"], 5)] for r in relations]
    return result


def main():
    global split
    deberta = dict(model_type="deberta-v2", relative_attention=True, position_buckets=16, norm_rel_ebd="layer_norm", share_att_key=True,
                   pos_att_type=["p2c", "c2p"], position_biased_input=False, type_vocab_size=0, pad_token_id=1)
    roberta = dict(model_type="roberta", pad_token_id=1, type_vocab_size=1)
    bert = dict(model_type="bert")
    relex = {"relations": RELATIONS}
    for name, settings, arguments in [
        ("span", {}, ("UniEncoderSpan", "deberta-v2", deberta)),
        ("token", {}, ("UniEncoderToken", "bert", bert)),
        ("bi", {}, ("BiEncoderSpan", "roberta", roberta)),
        ("bi-token", {}, ("BiEncoderToken", "roberta", roberta)),
        ("relex", relex, ("UniEncoderSpanRelex", "deberta-v2", deberta)),
        ("relex-token", relex, ("UniEncoderTokenRelex", "xlm-roberta", {**roberta, "model_type": "xlm-roberta"})),
    ]:
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        extra = dict(labels=("bert", bert)) if name.startswith("bi") else {}
        if settings:
            extra |= dict(relations_layer="dot" if name == "relex" else "none")
        for seed in range(1, 100):
            model = build(*arguments, seed, **extra)
            split = model.data_processor.words_splitter
            thresholds = spread(model, settings)
            if thresholds is not None:
                break
        target = HERE / name
        shutil.rmtree(target, ignore_errors=True)
        export(model, target)
        for path in target.rglob("*"):
            if path.is_file() and path.suffix != ".onnx" and str(path.relative_to(target)) not in KEPT:
                path.unlink()
        for path in target.rglob("*.onnx"):
            shorten(path)
        first = batch_of(model, [("x", 0, 1)], settings)[0]["input_ids"].shape[1]
        prompt = first - len(model.data_processor.transformer_tokenizer(["x"], is_split_into_words=True, add_special_tokens=False)["input_ids"])
        rows = [[read(model, text, window, settings, thresholds) for window in windows(model, text, prompt)] for text in TEXTS]
        for windows_of_text in (row for at, row in enumerate(rows) if at % 4):
            for window in windows_of_text:
                window.pop("nested", None)
        expected = {"labels": LABELS, "relations": RELATIONS if settings else [], "entityThreshold": thresholds[0], "relationThreshold": thresholds[1], "texts": rows}
        (target / "expected.json").write_text(json.dumps(expected, ensure_ascii=False, separators=(",", ":")) + "\n")
        count = lambda key: sum(len(window.get(key, [])) for row in rows for window in row)
        print(name, "seed", seed, "thresholds", thresholds, "prompt", prompt, "windows", sum(map(len, rows)), "spans", count("spans"), "nested", count("nested"), "relations", count("relations"),
              "bytes", sum(p.stat().st_size for p in target.rglob("*") if p.is_file()))


main()
