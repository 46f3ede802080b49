/** The models in `gliner` against the spans and relations that the reference library reads; see make_gliner.py there. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { InferenceSession } from "onnxruntime-node";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { chooseSpans } from "../../src/adapters/models/local/gliner/decode.ts";
import { openLocalReader } from "../../src/adapters/models/local/gliner/reader.ts";
import { splitWords } from "../../src/adapters/models/local/gliner/words.ts";
import { type IdentifiedModel, identifyModel } from "../../src/adapters/models/local/identify-model.ts";

const FIXTURES = fileURLToPath(new URL("./gliner", import.meta.url));
const TEXTS = fileURLToPath(new URL("./fixtures/texts.json", import.meta.url));
const TOLERANCE = 1e-4;

type Row = readonly [start: number, end: number, label: number, score: number];
interface Expected {
  readonly labels: readonly string[];
  readonly relations: readonly string[];
  readonly entityThreshold: number;
  readonly relationThreshold: number;
  /** Windows of each text. */
  readonly texts: readonly (readonly {
    readonly words: number;
    readonly spans: readonly Row[];
    /** Where it differs. */
    readonly nested?: readonly Row[];
    readonly relations?: readonly (readonly [source: number, target: number, label: number, score: number])[];
  }[])[];
}

const texts = JSON.parse(await readFile(TEXTS, "utf8")) as readonly string[];
const names = (await readdir(FIXTURES, { withFileTypes: true })).filter((entry) => entry.isDirectory());

async function open(name: string, nested: boolean) {
  const expected = JSON.parse(await readFile(join(FIXTURES, name, "expected.json"), "utf8")) as Expected;
  const model = await identifyModel(await describeModel(FIXTURES, name));
  assert.ok(model.reader !== null);
  const { entityThreshold: threshold, relationThreshold } = expected;
  const reader = { ...model.reader, threshold, relationThreshold, nested };
  const labels = {
    entities: expected.labels.map((name) => ({ name, description: "" })),
    relations: expected.relations.map((label) => {
      const ends = expected.labels.map((_, at) => at);
      return { label, sources: ends, targets: ends };
    }),
  };
  return { expected, labels, opened: await openLocalReader({ ...model, reader } satisfies IdentifiedModel) };
}

/** What all windows of a text read: of one place the surest. */
function joined(windows: Expected["texts"][number], nested: boolean): readonly Row[] {
  const all = windows.flatMap(({ spans, nested: own = spans }) => (nested ? own : spans));
  const spans = all.map(([start, end, label, score]) => ({ start, end: end - 1, label, score }));
  return chooseSpans(spans, nested).map(({ start, end, label, score }) => [start, end + 1, label, score]);
}

/** Between the joined spans; of a name that has two labels the reference relates the one to the other, and ours does not. */
function joinedRelations(
  windows: Expected["texts"][number],
  spans: readonly Row[],
): ReadonlyMap<string, number> {
  const known = new Map<string, number>();
  for (const { spans: own, relations = [] } of windows)
    for (const [source, target, label, score] of relations) {
      const [from, to] = [source, target].map((at) =>
        spans.findIndex(([start, end]) => start === own[at]?.[0] && end === own[at]?.[1]),
      );
      const id = `${from} ${to} ${label}`;
      if (from !== to && from !== -1 && to !== -1) known.set(id, Math.max(score, known.get(id) ?? 0));
    }
  return known;
}

describe("a local reader", () => {
  for (const { name } of names)
    for (const nested of [false, true])
      test(`${name} reads the ${nested ? "nested " : ""}spans and relations of the reference`, async () => {
        const { expected, labels, opened } = await open(name, nested);
        let found = 0;
        let related = 0;
        for (const [at, text] of texts.entries()) {
          // Nested spans are recorded for every fourth text.
          if (nested && at % 4 !== 0) continue;
          const windows = expected.texts[at] ?? [];
          const { entities, relations } = await opened.read(text, labels);
          const spans = joined(windows, nested);
          const quote = JSON.stringify(text.slice(0, 60));
          assert.deepEqual(
            entities.map(({ start, end, label }) => [start, end, label]),
            spans.map(([start, end, label]) => [start, end, label]),
            quote,
          );
          for (const [place, { score }] of entities.entries())
            assert.ok(Math.abs(score - (spans[place]?.[3] ?? 0)) < TOLERANCE, quote);
          found += spans.length;
          if (nested) continue;
          const known = joinedRelations(windows, spans);
          const read = relations.map(
            ({ source, target, label, confidence }) => [`${source} ${target} ${label}`, confidence] as const,
          );
          related += read.length;
          assert.deepEqual(read.map(([id]) => id).toSorted(), [...known.keys()].toSorted(), quote);
          for (const [id, confidence] of read)
            assert.ok(Math.abs(confidence - (known.get(id) ?? 0)) < TOLERANCE, `${quote}: ${id}`);
        }
        assert.ok(found > (nested ? 5 : 50), String(found));
        assert.ok(nested || expected.relations.length === 0 || related > 50, String(related));
        await opened.close();
      });

  test("asks for labels in several runs where a prompt has no room for all, takes the surest of a place, and says how many it did not ask for", async () => {
    const { labels, opened } = await open("token", false);
    const model = await identifyModel(await describeModel(FIXTURES, "token"));
    assert.ok(model.reader !== null);
    const low = { ...model.reader, threshold: 0.3 };
    const apart = await openLocalReader({ ...model, reader: { ...low, maxLabels: 2 } });
    const together = await openLocalReader({ ...model, reader: low });
    const text = texts[73] ?? "";
    const read = await apart.read(text, labels);
    const rows: Row[] = [];
    for (const own of [[0, 1], [2, 3], [4]]) {
      const part = { entities: own.flatMap((at) => labels.entities[at] ?? []), relations: [] };
      for (const { start, end, label, score } of (await together.read(text, part)).entities)
        rows.push([start, end, own[label] ?? -1, score]);
    }
    assert.deepEqual(
      read.entities.map(({ start, end, label, score }) => [start, end, label, score]),
      joined([{ words: 0, spans: rows }], false),
    );
    assert.ok(read.entities.length > 0);
    assert.deepEqual(read.unread, { entities: 0, relations: 0 });
    const many = Array.from({ length: 40 }, (_, at) => ({ name: `type ${at}`, description: "" }));
    const { unread } = await apart.read("Maud Pell", { entities: many, relations: [] });
    assert.deepEqual(unread, { entities: 8, relations: 0 });
    for (const each of [opened, apart, together]) await each.close();
  });

  test("takes a label with a marker in it for one label", async () => {
    const { labels, opened } = await open("span", false);
    const entities = labels.entities.map(({ name }) => ({ name: `${name}<<ENT>>`, description: "" }));
    const text = texts[73] ?? "";
    assert.deepEqual(await opened.read(text, { entities, relations: [] }), await opened.read(text, labels));
    await opened.close();
  });

  test("refuses a graph with other inputs or outputs, and a damaged file, with what to do", async () => {
    const model = await identifyModel(await describeModel(FIXTURES, "bi"));
    await assert.rejects(
      openLocalReader({ ...model, weights: "onnx/labels_encoder.onnx" }),
      /labels_encoder\.onnx has the inputs input_ids \(int64 \[\?, \?\]\), attention_mask .* Export the model again/,
    );
    const hashes = { ...model.hashes, "labels_encoder/tokenizer.json": "0" };
    await assert.rejects(openLocalReader({ ...model, hashes }), /labels_encoder\/tokenizer\.json is damaged/);
  });

  test("whose later graph does not load or fit leaves no session open", async (context) => {
    const relex = await identifyModel(await describeModel(FIXTURES, "relex"));
    const { reader } = relex;
    assert.ok(reader !== null);
    const create = context.mock.method(InferenceSession, "create").mock;
    const probe = await InferenceSession.create(join(relex.folder, relex.weights));
    const release = context.mock.method(Object.getPrototypeOf(probe), "release").mock;
    await probe.release();
    const leavesNone = async (opening: Promise<unknown>, message: RegExp) => {
      await assert.rejects(opening, { name: "ModelFault", message });
      const sessions = await Promise.allSettled(create.calls.map(({ result }) => result));
      assert.equal(sessions.filter(({ status }) => status === "fulfilled").length, release.callCount());
    };
    const opens = (relationsGraph: string) =>
      openLocalReader({ ...relex, reader: { ...reader, relationsGraph } });
    await leavesNone(opens("tokenizer.json"), /relex\/tokenizer\.json cannot be loaded/);
    await leavesNone(opens("../relex-token/onnx/relations.onnx"), /relations\.onnx has the inputs/);
    const other = { ...relex, weights: "onnx/relations.onnx" };
    await leavesNone(openLocalReader(other), /relations\.onnx has the inputs/);
    assert.ok(create.callCount() > 5);
  });

  test("is not computed on the CPU where another device was chosen", async () => {
    const model = await identifyModel(await describeModel(FIXTURES, "relex"), "coreml");
    // The runtime has no such device on Linux.
    await assert.rejects(openLocalReader(model), {
      name: "ModelFault",
      message: /relex\/onnx\/model\.onnx cannot be loaded: .*coreml/,
    });
  });

  test("cuts words as Python does", () => {
    const cut = (text: string) => splitWords(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(cut("A-b_c d--e -f"), ["A-b_c", "d", "-", "-", "e", "-", "f"]);
    assert.deepEqual(cut("na\u00efve e\u0301 \u00b2\u00bd\u2167"), [
      "na\u00efve",
      "e",
      "\u0301",
      "\u00b2\u00bd\u2167",
    ]);
    assert.deepEqual(cut("a\u001cb\u0085c\ufeffd\u200be"), ["a", "b", "c", "\ufeff", "d", "\u200b", "e"]);
  });
});
