import assert from "node:assert/strict";
import { test } from "node:test";
import { type SummaryInput, scoreAnswer } from "./summarize.ts";
import { outlineChunk } from "./summarize-outline.ts";
import { summarize } from "./test-summarize.ts";

type SummaryChunk = SummaryInput["chunks"][number];

function chunk(text: string, given: Partial<SummaryChunk> = {}): SummaryChunk {
  return { text, versionId: 1, start: 0, similarity: 0.8, ...given };
}

function ask(query: string, text: string, given: Partial<SummaryChunk> = {}): string {
  return summarize({ query, chunks: [chunk(text, given)] });
}

const pumps = `# Pumps of the northern works

## RX-5

For clean water.

Manufacturer: Aldous & Voss
Weight: 14 kg

## RX-8

For mud and sand.

Manufacturer: Karelin Works
Weight: 31 kg`;

test("A line below a heading answers for what the heading names, and is shown under it", () => {
  assert.match(ask("Who makes the RX-8?", pumps), /^RX-8\nManufacturer: Karelin Works/);
  assert.match(ask("How much does the RX-5 weigh?", pumps), /^RX-5\nWeight: 14 kg/);
  assert.doesNotMatch(ask("Who makes the RX-8?", pumps), /Aldous/);
});

test("Lines of the first of several sections are shown under its heading, or apart from what stands under another one", () => {
  const stations = "# Orrin\n\nOpened: 1990\nClosed: 2005\n\n# Velden\n\nOpened: 1970\nClosed: 1999\n";
  assert.match(ask("When was Orrin opened?", stations), /^Orrin\nOpened: 1990(?!.*Velden\nOpened: 1990)/s);
  const [first, second] = stations.split("\n# ").map((text) => text.trim());
  const start = stations.indexOf("# Velden");
  const summary = summarize({
    query: "When was it opened?",
    chunks: [chunk(`# ${second}`, { start }), chunk(first ?? "", { similarity: 0.7 })],
  });
  assert.doesNotMatch(summary, /Velden(?:\n.+)*\nOpened: 1990/);
});

test("A row is shown under the heading of its table, and no heading among the rows of another", () => {
  const table = (year: number, price: number) =>
    `# Prices ${year}\n\n| Item | Price |\n|---|---|\n| Rope | ${price} EUR |\n| Hook | ${price * 9} EUR |`;
  const prices = `${table(2041, 12)}\n\n${table(2040, 11)}`;
  for (const query of ["What does the rope cost?", "What is the price of the hook?", "Rope price"]) {
    const summary = ask(query, prices);
    assert.match(summary, /^Prices 20\d\d\nItem: /);
    const years = { "12": "2041", "108": "2041", "11": "2040", "99": "2040" };
    for (const [price, year] of Object.entries(years)) {
      if (!summary.includes(`Price: ${price} EUR`)) continue;
      const before = summary.slice(0, summary.indexOf(`Price: ${price} EUR`));
      assert.equal(before.match(/Prices (\d+)/g)?.at(-1), `Prices ${year}`, summary);
    }
  }
});

test("A row of a table is shown with the names of its columns and found by them", () => {
  const text = `| Valve | Opens at | Fitted by |
|---|---|---|
| North | 4 bar | Ines Abt |
| South | 7 bar | Rolf Meier |
| East | 9 bar | Aud Lie |`;
  assert.match(ask("At which pressure does the South valve open?", text), /^Valve: South; Opens at: 7 bar/);
  assert.match(ask("Who fitted the North valve?", text), /^Valve: North; .* Ines Abt/);
  assert.match(ask("Who fitted the East valve?", text), /^Valve: East; .* Aud Lie/);
});

test("A table that goes on in a chunk is read with the columns of the chunk's header", () => {
  const row = "| Weir | 3 June | Odd Lund |\n| Lock | 9 July | Tove Berg |";
  const header = "Inspections\nPlace | Inspected | Inspector";
  const withColumns = summarize({
    query: "Who was the inspector?",
    chunks: [
      chunk(row, { header, start: 900 }),
      chunk("Who was it? Nobody knows for sure who.", { versionId: 2 }),
    ],
  });
  assert.match(withColumns, /^Place: Weir; Inspected: 3 June; Inspector: Odd Lund\n/);
});

test("A list is quoted whole where the question asks for what its label names", () => {
  const text = `The kit for the winter hut holds:

- two blankets
- a stove
- matches

The kit for the summer hut holds:

- a net
- a lantern`;
  const summary = ask("What are the contents of the kit for the winter hut?", text);
  assert.match(summary, /two blankets\n- a stove\n- matches/);
  assert.doesNotMatch(summary, /lantern/);
});

test("An answer is found by its question, which is shown above it", () => {
  const text = `Q: Can visitors swim in the reservoir?
A: No. The water is for drinking only.

Q: When does the café close?
A: At six, in winter at four.

Q: Is there a ferry?
A: Only in May.`;
  assert.match(ask("Is swimming allowed in the reservoir?", text), /The water is for drinking only/);
  assert.match(
    ask("When does the café close?", text),
    /^Q: When does the café close\?\nAt six, in winter at four\./,
  );
  assert.match(ask("Is there a ferry?", text), /^Q: Is there a ferry\?\nOnly in May\./);
});

test("An answer is quoted below its own question and before no other, however short it is and in whatever form it stands", () => {
  const forms: readonly (readonly [string, string, RegExp])[] = [
    ["Q: ", "\nA: ", /^Q: Is fishing allowed in Lake Tarn\?\nYes\.$/],
    ["", "\n", /^Is fishing allowed in Lake Tarn\?\nYes\.$/],
    ["**", "** ", /^Is fishing allowed in Lake Tarn\?\nYes\.$/],
    ["Frage: ", "\nAntwort: ", /^Frage: Is fishing allowed in Lake Tarn\?\nYes\.$/],
    ["### ", "\n\n", /^Is fishing allowed in Lake Tarn\?\nYes\.$/],
  ];
  for (const [before, between, expected] of forms) {
    const pair = (what: string, answer: string) =>
      `${before}Is ${what} allowed in Lake Tarn?${between}${answer}`;
    const pairs = [
      pair("swimming", "No, it is forbidden."),
      pair("fishing", "Yes."),
      pair("diving", "No. The lake is shallow."),
    ];
    for (const text of [pairs.join("\n\n"), pairs.toReversed().join("\n\n")]) {
      assert.match(ask("Is fishing allowed in Lake Tarn?", text), expected, text);
      assert.match(
        ask("Is diving allowed in Lake Tarn?", text),
        /diving allowed in Lake Tarn\?\nNo\. The lake/,
      );
    }
  }
  const inLine =
    "Q: Is swimming allowed in Lake Tarn? A: No, it is forbidden. Q: Is fishing allowed in Lake Tarn? A: Yes.";
  assert.equal(ask("Is fishing allowed in Lake Tarn?", inLine), "Q: Is fishing allowed in Lake Tarn?\nYes.");
  const prose =
    "The lake is old. Is fishing allowed in Lake Tarn? Yes. Boats of all kinds are rented at the pier.";
  assert.match(ask("Is fishing allowed in Lake Tarn?", prose), /^Is fishing allowed in Lake Tarn\?\nYes\./);
});

test("An item of a list stands below the line that says what the list is, also where it is a whole sentence", () => {
  const item = "Ida Vell wrote the Grey Hymn for the choir of the old town.";
  for (const [leadIn, shown] of [
    ["Statements that turned out to be false:\n\n", "Statements that turned out to be false:"],
    ["# Myths about the Grey Hymn\n\n", "Myths about the Grey Hymn"],
    ["# Myths\n\nThe following claims are wrong:\n\n", "The following claims are wrong:"],
    ["Rejected proposals\n\n", "Rejected proposals"],
    ["None of these statements is true.\n\n", "None of these statements is true."],
    [
      `${"The board met again in May and read many letters. ".repeat(4)}It found these claims to be wrong:\n\n`,
      "It found these claims to be wrong:",
    ],
  ] as const) {
    const text = `${leadIn}- ${item}\n- The Grey Hymn was written in the town of Turku.\n\nThe author of the Grey Hymn is unknown.`;
    const summary = ask("Who wrote the Grey Hymn?", text);
    const [before = ""] = summary.split(item);
    assert.notEqual(before, summary, text);
    assert.ok(before.includes(`${shown}\n`), summary);
  }
});

test("A whole sentence that leads in to what follows may be the answer, a short one only stands above it", () => {
  const told = "In her second letter of 1950, Ida Rell says of the weir near Velden:";
  const letter = `The weir was old. ${told}\n\nIt held for a winter. Nobody had hoped for more.`;
  assert.match(
    ask("Who wrote about the weir near Velden?", letter),
    /Ida Rell says of the weir near Velden:/,
  );
  const steps =
    "There are four kinds of knots that the rope walk near Velden knows:\n- the bend\n- the hitch";
  const knots = ask("How many kinds of knots does the rope walk know?", steps);
  assert.match(knots, /^There are four kinds of knots/);
  assert.equal(knots.split("four kinds").length, 2);
});

test("Lines in bold, in capitals, of a numbered list or of a sender head what follows them", () => {
  const under = (text: string, line: string): readonly string[] => {
    const found = outlineChunk(text, "Doc > Part").find(({ block }) => text.startsWith(line, block.start));
    return found?.context.above ?? [];
  };
  assert.deepEqual(under("**Rosehip**\n- Height: 2 m\n\n**Sloe**\n- Height: 4 m", "- Height: 4"), [
    "Doc",
    "Part",
    "Sloe",
  ]);
  assert.deepEqual(under("LATE FEES\nTen pence a day.\n\nLOST CARDS\nFive crowns.", "Five"), [
    "Doc",
    "Part",
    "LOST CARDS",
  ]);
  assert.deepEqual(under("Version 3 (May)\n* A new map\n* Faster", "* Faster"), [
    "Doc",
    "Part",
    "Version 3 (May)",
  ]);
  assert.deepEqual(under("From: Ada\n\nThe well is dry.", "The well"), ["Doc", "Part", "From: Ada"]);
  assert.deepEqual(under("Needed:\n- rope\n\nThe path is steep here.", "The path"), ["Doc", "Part"]);
  assert.deepEqual(under("# One\n\nA b c.\n\n# Two\n\nD e f.", "D e f"), ["Doc", "Part", "Two"]);
});

test("Before a sentence that refers back goes the one that it refers to, though it answers nothing", () => {
  const text =
    "Ferries once crossed the bay. The lighthouse keeper was called Odile Brandt. She repaired the great clock of the harbour in 1921. Gulls nest there now. The clock of the station is newer, and the harbour has another.";
  const summary = ask("When was the great clock of the harbour repaired?", text);
  assert.match(summary, /Odile Brandt\. She repaired the great clock of the harbour in 1921\./);
});

test("A question for a weight prefers a weight to a price, one for a price a price", () => {
  const lines = ["The crate of the northern works: 40 crowns", "The crate of the northern works holds 12 kg"];
  const of = (query: string) =>
    summarize({ query, chunks: lines.map((line, at) => chunk(`${line}.`, { versionId: at + 1, start: 1 })) });
  assert.match(
    of("How heavy is a crate of the northern works?"),
    /^The crate of the northern works holds 12 kg/,
  );
  assert.match(
    of("How much does a crate of the northern works cost?"),
    /^The crate of the northern works: 40 crowns/,
  );
});

test("What lines stand under counts for the length of a summary, and of many columns only those are named that a row fills", () => {
  const table = (columns: number) => {
    const names = Array.from({ length: columns }, (_, at) => `Figure number ${at}`).join(" | ");
    return `| ${names} |\n|${"---|".repeat(columns)}\n| Alpha pump | 12 bar |\n| Beta pump | 14 bar |\n`;
  };
  assert.match(
    ask("What pressure has the Alpha pump?", table(3)),
    /^Figure number 0: Alpha pump; Figure number 1: 12 bar/,
  );
  assert.match(
    ask("What pressure has the Alpha pump?", table(60)),
    /^Figure number 0: Alpha pump; Figure number 1: 12 bar$/m,
  );
  const chunks = Array.from({ length: 4 }, (_, at) => chunk(table(20 + at), { versionId: at + 1 }));
  const summary = summarize({ query: "Which pumps have a pressure of 12 bar?", chunks });
  assert.ok(summary.length <= 1_200, `${summary.length}`);
});

test("A sentence that connects two chunks scores higher, one that only touches its place does not", () => {
  const chunks = [chunk("他在一八七一年建造了北方的磨坊。她在南方的海湾出售面包和鱼。The mill is old.")];
  const scores = (connecting: SummaryInput["connecting"] = []) =>
    scoreAnswer({ query: "磨坊 海湾", chunks, connecting }).map(({ score }) => score());
  const plain = scores();
  const gains = scores([{ versionId: 1, start: 16, end: 30 }]).map((score, at) => score > (plain[at] ?? 0));
  assert.deepEqual(gains, [false, true, false]);
});
