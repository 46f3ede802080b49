/** How summaries quote rows of files: of comma-separated values in several shapes and of pages, cut into chunks as they are stored. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chunkDocument } from "../../src/engine/ingest/chunk.ts";
import { summarize } from "../../src/engine/query/summarize.ts";
import { convertText } from "./convert.ts";

async function answer(
  file: string,
  query: string,
  { targetTokens = 150, name = "table.csv" } = {},
): Promise<readonly string[]> {
  const { text } = await convertText(file, name);
  const countTokens = (piece: string) => piece.split(/\s+/).length + 2;
  const options = { targetTokens, overlapTokens: 0, maxTokens: 256, countTokens };
  const chunks = [...chunkDocument(text, options)].map((chunk) => ({
    ...{ text: chunk.text, header: chunk.header, start: chunk.start },
    ...{ versionId: 1, similarity: chunk.text.includes("Kestrel") ? 1 : 0.4 },
  }));
  return summarize({ query, chunks }).text.split("\n");
}

test("short cells", async () => {
  const csv = "Boat,Seats,Built\nNixe,4,1921-05-01\nKestrel,8,1935-11-30\n";
  assert.equal(
    (await answer(csv, "How many seats has the Kestrel?"))[0],
    "Boat: Kestrel; Seats: 8; Built: 1935-11-30",
  );
});

test("quotes, bars, semicolons, line breaks and empty cells", async () => {
  const csv =
    'Boat;"Fare; day";Tel;Note\n"Kestrel, the ""old""";"1.234,50";;"oars | sails\nand ropes"\nNixe;9;004712;\n';
  assert.equal(
    (await answer(csv, "What is the fare of the Kestrel?"))[0],
    'Boat: Kestrel, the "old"; Fare; day: 1.234,50; Note: oars | sails and ropes',
  );
  assert.ok(
    (await answer(csv, "What is the number of the Nixe?")).includes("Boat: Nixe; Fare; day: 9; Tel: 004712"),
  );
});

test("years as columns, and a first row of values", async () => {
  const years = "Mill,1871,1872,1873\nSorrel,610,594,702\nKestrel,88,120,93\n";
  assert.equal(
    (await answer(years, "How many sacks had the Kestrel?"))[0],
    "Mill: Kestrel; 1871: 88; 1872: 120; 1873: 93",
  );
  const bare = "Nixe,4,oak\nKestrel,8,pine\n";
  assert.deepEqual(await answer(bare, "Of what is the Kestrel?"), ["Nixe; 4; oak", "Kestrel; 8; pine"]);
});

test("pairs of a label and its value, also of a page with their labels as headers", async () => {
  const csv = "Barge,Curlew\nSkipper of the Kestrel,Ida Vell\nBerth,West pier\n";
  assert.deepEqual(await answer(csv, "Who is the skipper of the Kestrel?"), [
    "Barge: Curlew",
    "Skipper of the Kestrel: Ida Vell",
  ]);
  const html =
    "<table><tr><th>Barge</th><td>Curlew</td></tr><tr><th>Skipper of the Kestrel</th><td>Ida Vell</td></tr></table>";
  assert.deepEqual(await answer(html, "Who is the skipper of the Kestrel?", { name: "table.html" }), [
    "Barge: Curlew",
    "Skipper of the Kestrel: Ida Vell",
  ]);
});

test("rows of a later chunk of a long table", async () => {
  const rows = Array.from(
    { length: 80 },
    (_, at) => `${at === 60 ? "Kestrel" : `Boat ${at}`},${at + 100} crowns,190${at % 10}`,
  );
  const lines = await answer(`Name,Fare,Built\n${rows.join("\n")}\n`, "What is the fare of the Kestrel?", {
    targetTokens: 60,
  });
  assert.equal(lines[0], "Name: Kestrel; Fare: 160 crowns; Built: 1900");
});

test("dozens of columns", async () => {
  const names = Array.from({ length: 70 }, (_, at) => `Reading at station number ${at}`);
  const csv = `Boat,${names.join(",")}\nKestrel,${names.map((_, at) => `${at}.25`).join(",")}\n`;
  const lines = await answer(csv, "What are the readings of the Kestrel?");
  assert.ok(lines.every((line) => !line.includes("|")));
  assert.match(lines.join("\n"), /Kestrel; 0\.25; 1\.25; 2\.25/);
});
