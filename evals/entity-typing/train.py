"""Learns the typing network (packages/server/src/engine/ingest/extract/types/typing-weights.bin).

    python train.py FEATURES --train ai literature music wikigold grobid --test politics science --out typing-weights.bin

FEATURES is what write-features.ts wrote. Needs numpy, jax and optax; one core, some minutes. Deterministic for one version of these.
Every set is a softmax over its own node types and "none"; types reach the network only through their meaning (a direction), the
shares of their broad classes, and words that name them, so that a type never seen is scored alike.
"""
import argparse
import json
import struct

import jax
import jax.numpy as jnp
import numpy as np
import optax

INPUT, SHAPE, HIDDEN, SPAN, ANCHORS, LENGTHS, KINDS, VIEWS, LEXICAL = 384, 21, 64, 64, 13, 10, 7, 4, 6
TOKENS, MENTIONS, TYPES = 1400, 1400, 24  # of a batch; sentences that do not fit are left out of it
PAD = 2  # rows of zeros between sentences: no window reaches a neighbour
# In the order of the file: see weights.ts.
LAYOUT = ["mean", "project", "projectShape", "projectBias", "left", "right", "first", "last", "middle", "before", "after",
          "kind", "length", "spanBias", "anchor", "anchorBias", "none", "noneBias", "view", "lexical"]


def load(folder, name):
    data = json.load(open(f"{folder}/{name}.json"))
    states = np.memmap(f"{folder}/{name}.f16", dtype=np.float16, mode="r").reshape(-1, INPUT)
    at = 0
    for sentence in data["sentences"]:
        sentence["states"] = states[at : at + sentence["tokens"]]
        at += sentence["tokens"]
    count = min(len(data["names"]), TYPES)
    data["direction"] = np.zeros((TYPES, INPUT), np.float32)
    data["direction"][:count] = data["directions"][:count]
    data["share"] = np.full((TYPES, ANCHORS), -30, np.float32)
    data["share"][:count] = data["anchors"][:count]
    data["used"] = np.arange(TYPES) < count
    return data


def pack(data, places):
    states, shapes = np.zeros((TOKENS, INPUT), np.float32), np.zeros((TOKENS, SHAPE), np.float32)
    real, spans = np.zeros(TOKENS, np.float32), np.zeros((MENTIONS, 4), np.int32)
    labels, cues = np.full(MENTIONS, -1, np.int32), np.zeros((MENTIONS, TYPES, LEXICAL), np.float32)
    token, mention, owners = PAD, 0, []
    for place in places:
        sentence = data["sentences"][place]
        count = sentence["tokens"]
        if token + count + PAD > TOKENS or mention + len(sentence["mentions"]) > MENTIONS:
            continue
        states[token : token + count] = sentence["states"]
        real[token : token + count] = 1
        for row, ones in enumerate(sentence["shapes"]):
            shapes[token + row, ones] = 1
        for start, end, kind, label, *features in sentence["mentions"]:
            spans[mention] = token + start, token + end - 1, kind, min(end - start, LENGTHS - 1)
            labels[mention] = -1 if label == -2 else label + 1
            for feature in features:
                if feature // LEXICAL < TYPES:
                    cues[mention, feature // LEXICAL, feature % LEXICAL] = 1
            owners.append(place)
            mention += 1
        token += count + PAD
    labels[labels > TYPES] = -1
    return (states, shapes, real, spans, cues), labels, owners


def initial(mean, seed):
    random = np.random.default_rng(seed)

    def matrix(rows, columns, scale=1.0):
        return random.normal(0, scale / np.sqrt(rows), (rows, columns)).astype(np.float32)

    zeros = lambda *shape: np.zeros(shape, np.float32)
    return {
        "mean": mean.astype(np.float32), "project": matrix(INPUT, HIDDEN), "projectShape": matrix(SHAPE, HIDDEN, 0.5),
        "projectBias": zeros(HIDDEN), "left": matrix(HIDDEN, HIDDEN, 0.5), "right": matrix(HIDDEN, HIDDEN, 0.5),
        "first": matrix(HIDDEN, SPAN), "last": matrix(HIDDEN, SPAN), "middle": matrix(HIDDEN, SPAN),
        "before": matrix(HIDDEN, SPAN, 0.5), "after": matrix(HIDDEN, SPAN, 0.5), "kind": zeros(KINDS, SPAN),
        "length": zeros(LENGTHS, SPAN), "spanBias": zeros(SPAN), "anchor": matrix(SPAN, ANCHORS, 0.8),
        "anchorBias": zeros(ANCHORS), "none": zeros(SPAN), "noneBias": np.ones(1, np.float32),
        "viewScale": np.array([4, 1, 1, 1], np.float32), "viewShape": zeros(VIEWS, INPUT),
        "lexical": np.array([2, 2, 1, -0.5, 3, -1], np.float32),
    }


def logits(w, batch, direction, share, used, key=None, drop=0.2):
    states, shapes, real, spans, cues = batch
    centred = states - w["mean"] * real[:, None]
    keep = lambda x, part: x if key is None else x * jax.random.bernoulli(jax.random.fold_in(key, part), 1 - drop, x.shape) / (1 - drop)
    own = jnp.tanh(keep(centred, 0) @ w["project"] + shapes @ w["projectShape"] + w["projectBias"]) * real[:, None]
    zero = jnp.zeros((1, HIDDEN))
    seen = own + jnp.concatenate([zero, own[:-1]]) @ w["left"] + jnp.concatenate([own[1:], zero]) @ w["right"]
    seen = jax.nn.relu(seen) * real[:, None]
    sums = jnp.concatenate([zero, jnp.cumsum(own, 0)])
    start, end = spans[:, 0], spans[:, 1]
    middle = (sums[end + 1] - sums[start]) / (end - start + 1)[:, None]
    read = (seen @ w["first"])[start] + (seen @ w["last"])[end] + middle @ w["middle"] + w["spanBias"]
    read += (seen @ w["before"])[start - 1] + (seen @ w["after"])[end + 1] + w["kind"][spans[:, 2]] + w["length"][spans[:, 3]]
    read = keep(jax.nn.relu(read), 1)
    anchors = read @ w["anchor"] + w["anchorBias"]
    scores = jax.nn.logsumexp(anchors[:, None, :] + share[None], -1)
    running = jnp.concatenate([jnp.zeros((1, INPUT)), jnp.cumsum(centred, 0)])

    def window(low, high):
        total = running[jnp.clip(high, 0, TOKENS)] - running[jnp.clip(low, 0, TOKENS)]
        return total / jnp.sqrt((total**2).sum(1, keepdims=True) + 1e-2)

    views = [window(start, end + 1), window(start - 2, start), window(end + 1, end + 3), window(end, end + 1)]
    for at, view in enumerate(views):
        scores += (view * (w["viewScale"][at] + 10 * w["viewShape"][at])) @ direction.T
    scores += cues @ w["lexical"]
    scores = jnp.where(used[None] > 0, scores, -1e9)
    return jnp.concatenate([(read @ w["none"] + w["noneBias"])[:, None], scores], 1)


def loss(w, batch, labels, types, key):
    shares = jax.nn.log_softmax(logits(w, batch, *types, key), 1)
    counted = (labels >= 0) * 1.0
    picked = -jnp.take_along_axis(shares, jnp.maximum(labels, 0)[:, None], 1)[:, 0]
    return (picked * counted).sum() / (counted.sum() + 1) + 1e-2 * (w["viewShape"] ** 2).sum()


def train(sets, seed=0, epochs=3, rate=3e-3, size=16, type_drop=0.2):
    random = np.random.default_rng(seed)
    sample = np.concatenate([s["states"] for data in sets for s in data["sentences"][:300]]).astype(np.float32)
    w = initial(sample.mean(0), seed)
    steps = epochs * sum(-(-len(data["sentences"]) // size) for data in sets)
    optimizer = optax.adamw(optax.cosine_decay_schedule(rate, steps), weight_decay=1e-2)
    state = optimizer.init(w)

    @jax.jit
    def update(w, state, batch, labels, types, key):
        value, gradient = jax.value_and_grad(loss)(w, batch, labels, types, key)
        change, state = optimizer.update(gradient, state, w)
        change["mean"] = jnp.zeros_like(change["mean"])
        return optax.apply_updates(w, change), state, value

    step = 0
    for epoch in range(epochs):
        batches = []
        for which, data in enumerate(sets):
            order = random.permutation(len(data["sentences"]))
            batches += [(which, order[at : at + size]) for at in range(0, len(order), size)]
        total = 0.0
        for at in random.permutation(len(batches)):
            which, places = batches[at]
            batch, labels, _ = pack(sets[which], places)
            # Without some of its types a set is another ontology; their mentions are then left out.
            used = sets[which]["used"] * (random.random(TYPES) > type_drop)
            labels = np.where((labels > 0) & (used[np.maximum(labels - 1, 0)] == 0), -1, labels)
            types = (sets[which]["direction"], sets[which]["share"], used.astype(np.float32))
            w, state, value = update(w, state, batch, labels, types, jax.random.PRNGKey(step))
            total += float(value)
            step += 1
        print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}", flush=True)
    return {name: np.asarray(value) for name, value in w.items()}


SCORE = jax.jit(lambda w, batch, *types: jax.nn.softmax(logits(w, batch, *types), 1))


def evaluate(w, data, least=0.35):
    right = found = spans = reachable = typed = 0
    for first in range(0, len(data["sentences"]), 10):
        places = range(first, min(first + 10, len(data["sentences"])))
        batch, _, owners = pack(data, places)
        shares = np.asarray(SCORE(w, batch, data["direction"], data["share"], data["used"].astype(np.float32)))
        for place in sorted(set(owners)):
            rows = shares[[row for row, owner in enumerate(owners) if owner == place]]
            mentions, taken = data["sentences"][place]["mentions"], set()
            for (start, end, _, label, *_), row in zip(mentions, rows):
                reachable += label >= 0
                typed += label >= 0 and row[1:].argmax() == label
            for at in np.argsort(rows[:, 0], kind="stable"):
                start, end, _, label, *_ = mentions[at]
                if 1 - rows[at, 0] < least or any(token in taken for token in range(start, end)):
                    continue
                taken.update(range(start, end))
                found += 1
                spans += label >= 0
                right += rows[at, 1:].argmax() == label
    gold = sum(sentence["gold"] for sentence in data["sentences"])
    return {"f1": round(200 * right / (found + gold), 1), "precision": round(100 * right / max(1, found), 1),
            "recall": round(100 * right / gold, 1), "span_f1": round(200 * spans / (found + gold), 1),
            "type_of_right_span": round(100 * typed / max(1, reachable), 1)}


def write(w, path):
    tensors = dict(w, view=w["viewScale"][:, None] + 10 * w["viewShape"])
    with open(path, "wb") as file:
        for name in LAYOUT:
            values = np.asarray(tensors[name], np.float32).ravel()
            scale = max(float(np.abs(values).max()), 1e-8) / 127
            file.write(struct.pack("<f", scale) + np.round(values / scale).astype(np.int8).tobytes())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("features")
    parser.add_argument("--train", nargs="+", required=True)
    parser.add_argument("--twice", nargs="*", default=["ai", "literature", "music"], help="small sets, seen twice in an epoch")
    parser.add_argument("--test", nargs="*", default=[])
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--out")
    options = parser.parse_args()
    sets = {name: load(options.features, name) for name in options.train}
    chosen = [data for name, data in sets.items() for _ in range(2 if name in options.twice else 1)]
    w = train(chosen, epochs=options.epochs)
    for name in options.test:
        print(name, json.dumps(evaluate(w, load(options.features, name))), flush=True)
    if options.out:
        write(w, options.out)


if __name__ == "__main__":
    main()
