import assert from "node:assert/strict";
import { test } from "node:test";
import type { LanguageModel, ModelRequest } from "../../../../ports/language-model.ts";
import { readSuggestion } from "./read-suggestion.ts";
import { suggestWithModel } from "./suggest-with-model.ts";

const typesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `Type${at}`, level: 0 }));
const edgesOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    name: `LINKS_${at}`,
    sourceTypes: ["Type0"],
    targetTypes: ["Type0"],
  }));
const namesOf = (count: number) => Array.from({ length: count }, (_, at) => `name_${at}`);

test("a reply with more types or names than its tokens can say is refused before it is checked", () => {
  const nodeTypes = Object.fromEntries(typesOf(501).map(({ name }) => [name, {}]));
  const refused: readonly [unknown, RegExp][] = [
    [{ nodeTypes: typesOf(501) }, /more than 500 node types or edge types/],
    [{ nodeTypes: typesOf(1), edgeTypes: edgesOf(501) }, /more than 500 node types or edge types/],
    [{ nodeTypes: [{ ...typesOf(1)[0], properties: namesOf(4_001) }] }, /more than 4000 names/],
    [{ ontology: { hierarchy: [{ level: 0, node_types: nodeTypes }] } }, /more than 500/],
  ];
  for (const [value, message] of refused) {
    const read = readSuggestion(value);
    assert.match(read.kind === "faults" ? read.faults : "", message);
  }
  assert.equal(readSuggestion({ nodeTypes: typesOf(500), edgeTypes: edgesOf(500) }).kind, "suggestion");
});

/** Gives these values as replies, after asking whether they are usable as the client does. */
function createModel(values: readonly unknown[]) {
  const requests: ModelRequest[] = [];
  const model: LanguageModel = {
    nameOf: () => "test/model",
    async generate(request) {
      request.signal?.throwIfAborted();
      const value = values[requests.length];
      requests.push(request);
      request.isUsable?.(value);
      return { text: "", value, isCached: false, repairs: 0, inputTokens: 0, outputTokens: 0 };
    },
  };
  return { model, requests };
}

const ask = { meter: { accountId: "one", projectId: null, jobId: null }, deadlineMs: 1_000, now: () => 0 };

test("each reply is read once", async () => {
  let reads = 0;
  const faulty = {
    get nodeTypes() {
      reads++;
      return [];
    },
  };
  readSuggestion(faulty);
  const readsOfOne = reads;
  const { model } = createModel([faulty, faulty]);
  assert.equal((await suggestWithModel("Ships", { ...ask, model, signal: null })).kind, "faults");
  assert.equal(reads, 2 * readsOfOne);
});

test("whoever gives a suggestion up ends it before the second call", async () => {
  const given = new AbortController();
  const { model, requests } = createModel([null, null]);
  const signal = given.signal;
  const suggested = suggestWithModel("Ships", { ...ask, model, signal });
  given.abort(new Error("given up"));
  await assert.rejects(suggested, /given up/);
  assert.equal(requests.length, 1);
});
