import assert from "node:assert/strict";
import { test } from "node:test";
import type { PassageRead, RankedChunk } from "../../domain/query.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import { judge, withProbability } from "./judge-answer.ts";
import { readPassages } from "./read-passages.ts";

function chunk(at: number, text: string, members: Partial<RankedChunk> = {}): RankedChunk {
  const place = {
    versionId: at,
    position: 0,
    sourceDocId: `doc-${at}`,
    start: 1000,
    end: 1000 + text.length,
  };
  return { ...place, text, header: "Lamps\nSection", similarity: 0.5, cosine: 0.5, fused: 0.4, ...members };
}

/** Prefers passages with the word, and says that the answer is there. */
function readerOf(word: string) {
  const read: { readonly header: string; readonly text: string }[] = [];
  const reader: QuestionReader = {
    async read(_question, passage) {
      read.push(passage);
      const start = passage.text.indexOf(word);
      return start < 0
        ? { logit: -2, span: { start: 0, end: 3 } }
        : { logit: 2, span: { start, end: start + word.length } };
    },
  };
  return { read, reader };
}

const readOf = (logit: number, place: PassageRead["place"] = null) => ({
  versionId: 1,
  position: 0,
  logit,
  place,
});

const QUESTION = "Who lit the lamp of the harbour?";
const FILLER = "The wind was from the west and the sea was grey for most of the day. ".repeat(6).trim();

test("of each chunk the sentences around the nearest one are read, with the title; the place is in the document", async () => {
  const { read, reader } = readerOf("Odile");
  const text = `${FILLER} The lamp of the harbour was lit by Odile. ${FILLER}`;
  const others = [FILLER.replaceAll("west", "east"), FILLER.replaceAll("grey", "green")];
  const chunks = [
    chunk(1, others[0] ?? ""),
    chunk(2, text),
    chunk(3, others[1] ?? ""),
    chunk(4, `${text} Odile.`),
  ];
  const found = await readPassages(QUESTION, chunks.slice(0, 3), reader);
  assert.equal(read.length, 3);
  assert.deepEqual([read[1]?.header, read[1]?.text.includes("lit by Odile")], ["Lamps", true]);
  for (const each of read) assert.ok(each.text.length <= 420);
  const start = 1000 + text.indexOf("Odile");
  assert.deepEqual(
    found.map(({ versionId, logit }) => [versionId, logit]),
    [
      [1, -2],
      [2, 2],
      [3, -2],
    ],
  );
  assert.deepEqual(found[1]?.place, { versionId: 2, start, end: start + "Odile".length });
});

test("texts in another language and no texts are not read", async () => {
  const german = "Die Lampe wurde von der Frau am Hafen und nicht von dem Mann im Dorf angezündet.";
  for (const chunks of [[], [chunk(1, german)], [chunk(1, "灯台の灯りはオディールがともした。")]]) {
    const { read, reader } = readerOf("Odile");
    assert.deepEqual(await readPassages("Wer?", chunks, reader), []);
    assert.equal(read.length, 0);
  }
});

test("a short English text is not taken for one in a language that shares its words", async () => {
  const { read, reader } = readerOf("Porto");
  const chunks = [chunk(1, "Maria Gonzalez was born in Porto in 1951.")];
  const query = "Where was Maria Gonzalez born?";
  await readPassages(query, chunks, reader);
  assert.equal(read.length, 1);
});

test("an answer is denied where neither the reader nor the search finds one, and begins with what was read", () => {
  const place = { versionId: 1, start: 3, end: 5 };
  const judged = (logit: number, cosine: number) =>
    judge([readOf(logit, place)], [chunk(1, "", { cosine })])?.reading;
  assert.deepEqual(judged(-4, 0.3), { answer: null, isComplete: true });
  assert.deepEqual(judged(3, 0.6), { answer: place, isComplete: false });
  // Several passages may answer together what no single one does.
  assert.deepEqual(judged(-2, 0.7), { answer: null, isComplete: false });
  assert.equal(judge([], []), null);
});

test("the similarity of the first chunk is the probability that it answers, and that of the others falls as before", () => {
  const similarities = (logit: number, given: readonly number[]) => {
    const chunks = given.map((similarity, at) => chunk(at, "", { similarity, cosine: 0.5 }));
    const { probability = 0 } = judge([readOf(logit)], chunks) ?? {};
    return withProbability(chunks, { probability }).map(
      ({ similarity }) => Math.round(similarity * 1000) / 1000,
    );
  };
  assert.deepEqual(similarities(4, [0.8, 0.4, 0]), [0.734, 0.367, 0]);
  assert.deepEqual(similarities(-4, [0.8, 0.4, 0]), [0.094, 0.047, 0]);
  assert.deepEqual(similarities(4, [0, 0]), [0, 0]);
});

test("that another passage answers does not make the first one likelier to", () => {
  const chunks = [chunk(1, ""), chunk(2, "")];
  const probabilityOf = (...read: PassageRead[]) => judge(read, chunks)?.probability ?? 0;
  const [alone, with2] = [[readOf(-4)], [readOf(-4), { ...readOf(4), versionId: 2 }]];
  assert.equal(probabilityOf(...with2), probabilityOf(...alone));
});

test("a sentence that leads in to what follows is not the one that is read", async () => {
  const { read, reader } = readerOf("Odile");
  const leadIn = "Of the harbour, its lamp and those who lit the lamp, the second book has this to say:";
  const text = `${leadIn}\n\n${FILLER}\n\n${FILLER.replaceAll("west", "east")}\n\nThe lamp was lit by Odile.`;
  await readPassages(QUESTION, [chunk(1, text)], reader);
  assert.match(read[0]?.text ?? "", /lit by Odile/);
});

test("of a list no line of another entry is read", async () => {
  const text =
    "## Tessel\n\nMaster: Ida Vell\nLength: 48 metres\n\n## Varde\n\nMaster: Tove Lank\nLength: 52 metres";
  const { read, reader } = readerOf("Tove");
  await readPassages("Who is the master of the Varde?", [chunk(1, text)], reader);
  assert.match(read[0]?.text ?? "", /Tove Lank/);
  assert.doesNotMatch(read[0]?.text ?? "", /Ida Vell/);
});

test("a row is read alone and with the names of its columns, and what is found in it is placed in its cell", async () => {
  const text =
    "| Boat | Master \\| owner | Length |\n| --- | --- | --- |\n| Tessel | Ida \\| Vell | 48 |\n| Varde | Tove Lank | 52 |";
  const { read, reader } = readerOf("Tove Lank");
  const passage = chunk(1, text);
  const [found] = await readPassages("Who is the master of the Varde?", [passage], reader);
  assert.equal(read[0]?.text, "Boat is Varde; Master | owner is Tove Lank; Length is 52");
  const { start = 0, end = 0 } = found?.place ?? {};
  assert.equal(text.slice(start - passage.start, end - passage.start), "Tove Lank");
});

test("a place behind a bar in a cell is that in the stored text", async () => {
  const text =
    "| Boat | Gear | Length |\n| --- | --- | --- |\n| Tessel | oars | 48 |\n| Varde | rope \\| sail \\| Ida Vell | 52 |";
  for (const word of ["Ida Vell", "sail", "rope | sail", "52", "| Ida"]) {
    const passage = chunk(1, text);
    const [found] = await readPassages("What gear has the Varde?", [passage], readerOf(word).reader);
    const { start = 0, end = 0 } = found?.place ?? {};
    assert.equal(text.slice(start - passage.start, end - passage.start), word.replaceAll("|", "\\|"));
  }
});

test("a row whose columns may have no names is read as it is stored", async () => {
  const text = "| Barge | Curlew |\n| --- | --- |\n| Lead | Ida Vell |\n| Mate | Tove Lank |";
  const { read, reader } = readerOf("Ida Vell");
  const passage = chunk(1, text);
  const [found] = await readPassages("Who is the lead of the Curlew?", [passage], reader);
  assert.deepEqual(read, [{ header: "Barge: Curlew", text: "| Lead | Ida Vell |" }]);
  const { start = 0, end = 0 } = found?.place ?? {};
  assert.equal(text.slice(start - passage.start, end - passage.start), "Ida Vell");
});
