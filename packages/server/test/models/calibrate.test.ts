/** Thresholds that are fitted to recorded scores, and to what a tiny model reads. */
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { describeModel } from "../../src/adapters/models/local/describe-model.ts";
import { fitThreshold, parseJudgedTexts } from "../../src/adapters/models/local/gliner/calibrate.ts";
import { openLocalReader } from "../../src/adapters/models/local/gliner/reader.ts";
import { identifyModel } from "../../src/adapters/models/local/identify-model.ts";
import { runModelsCommand } from "../../src/models-command.ts";

const FIXTURES = fileURLToPath(new URL("./gliner", import.meta.url));
const TEXTS = fileURLToPath(new URL("./fixtures/texts.json", import.meta.url));

test("the threshold with the best F1 lies between two scores", () => {
  const scores = [0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3];
  const right = new Set([0.95, 0.9, 0.7, 0.6]);
  const found = scores.map((score) => ({ score, isTrue: right.has(score) }));
  const { threshold, precision, recall, f1, read } = fitThreshold(found, 5);
  assert.equal(threshold, 0.55);
  assert.deepEqual([precision, recall, read], [4 / 5, 4 / 5, 5]);
  assert.ok(Math.abs(f1 - 0.8) < 1e-9);
  assert.equal(fitThreshold([{ score: 0.9, isTrue: false }], 3).f1, 0);
  assert.equal(fitThreshold([], 3).read, 0);
});

test("a line that is not as expected is named", () => {
  const good = JSON.stringify({ text: "Maud Pell", entities: [{ text: "Maud Pell", type: "person" }] });
  assert.equal(parseJudgedTexts(`${good}\n\n${good}\n`).length, 2);
  assert.throws(() => parseJudgedTexts(`${good}\nx\n`), /Line 2 is not as expected/);
  assert.throws(() => parseJudgedTexts(good.replace("type", "kind")), /Line 1 is not as expected/);
});

describe("kcs-server models calibrate", () => {
  let modelsDir = "";
  before(async () => {
    modelsDir = await mkdtemp(join(tmpdir(), "kcs-calibrate-"));
    await cp(join(FIXTURES, "relex"), join(modelsDir, "relex"), { recursive: true });
  });
  after(() => rm(modelsDir, { recursive: true, force: true }));

  const hub = { endpoint: "http://127.0.0.1:9", token: null, offline: true };
  async function run(args: readonly string[], extraction: string | null) {
    const printed: string[] = [];
    const configured =
      extraction === null
        ? null
        : ({ provider: "local", model: extraction, files: null, threshold: null } as const);
    const code = await runModelsCommand(
      ["calibrate", ...args],
      { modelsDir, bundledDir: modelsDir, modelsDevice: "cpu", hub, extraction: configured },
      {
        print: (text) => void printed.push(text),
        progress: () => undefined,
      },
    );
    return { code, text: printed.join("") };
  }

  test("finds the threshold by which texts were judged, and the service uses it", async () => {
    const [wanted, related] = [0.25, 0.6];
    const texts = (JSON.parse(await readFile(TEXTS, "utf8")) as string[]).filter((text) =>
      /^[a-zA-Z ]{20,400}$/.test(text),
    );
    const model = await identifyModel(await describeModel(modelsDir, "relex"));
    assert.equal(model.reader?.threshold, 0.5);
    const open = { ...model.reader, threshold: 0.05, relationThreshold: 0.05 };
    const reader = await openLocalReader({ ...model, reader: open });
    const ends = [0, 1];
    const labels = {
      entities: ["person", "place"].map((name) => ({ name, description: "" })),
      relations: [{ label: "lives in", sources: ends, targets: ends }],
    };
    const [first, second] = labels.entities.map(({ name: type }) => ({ text: "Both", type }));
    const both = { source: "Both", type: "lives in", target: "Both" };
    const lines = [JSON.stringify({ text: "Both", entities: [first, second], relations: [both] })];
    for (const text of texts) {
      const { entities, relations } = await reader.read(text, labels);
      const named = entities.map(({ start, end, label, score }) => ({
        text: text.slice(start, end),
        type: labels.entities[label]?.name ?? "",
        score,
      }));
      const kept = named.filter(({ score }) => score > wanted).map(({ text, type }) => ({ text, type }));
      const facts = relations
        .filter(({ confidence }) => confidence > related)
        .map(({ source, target }) => ({
          source: named[source]?.text,
          type: "lives in",
          target: named[target]?.text,
        }));
      lines.push(JSON.stringify({ text, entities: kept, relations: facts }));
    }
    await reader.close();
    const file = join(modelsDir, "judged.jsonl");
    await writeFile(file, lines.join("\n"));
    const { code, text } = await run([file], "relex");
    assert.equal(code, 0);
    assert.match(text, /relex: entities from a score of 0\.\d+ on: precision/);
    assert.match(text, /relex: relations from a score of/);
    const { reader: fitted } = await describeModel(modelsDir, "relex");
    assert.ok(fitted !== null && fitted.confidence !== null);
    assert.ok(Math.abs(fitted.threshold - wanted) < 0.05, String(fitted.threshold));
    assert.ok(Math.abs(fitted.relationThreshold - related) < 0.05, String(fitted.relationThreshold));
  });

  test("says what is missing", async () => {
    const file = join(modelsDir, "few.jsonl");
    await writeFile(
      file,
      JSON.stringify({ text: "Maud Pell", entities: [{ text: "Maud Pell", type: "person" }] }),
    );
    await assert.rejects(run([file], null), /--model MODEL/);
    await assert.rejects(run([file, "--model", "relex"], null), /The file has 1 entities/);
    await assert.rejects(run([join(modelsDir, "none.jsonl")], "relex"), /none\.jsonl cannot be read/);
    assert.equal((await run([file, "--pooling", "cls"], "relex")).code, 2);
  });
});
