/** What becomes of the lines of a PDF. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { convertBytes, convertText, isUnreadable } from "./convert.ts";
import { makePdf, type PdfText } from "./make-pdf.ts";

/** Lines below one another from a place on. */
function column(top: number, lines: readonly string[], left = 50): readonly PdfText[] {
  return lines.map((text, index) => ({ text, at: [left, top - index * 12] }));
}

test("lines become paragraphs, words are joined, and large type becomes headings by size", async () => {
  const page: readonly PdfText[] = [
    { text: "The rowing club", at: [50, 700], size: 20 },
    { text: "Boats", at: [50, 660], size: 14 },
    ...column(630, [
      "The club owns two wooden boats, which are kept in the boat-",
      "house by the lake all year and are var-",
      "nished in spring.",
    ]),
    ...column(570, ["Members take them out on Sundays."]),
  ];
  const { text, title, date, mediaType } = await convertText(makePdf([page]));
  assert.equal(
    text,
    "# The rowing club\n\n## Boats\n\nThe club owns two wooden boats, which are kept in the boathouse by the lake all year and are varnished in spring." +
      "\n\nMembers take them out on Sundays.",
  );
  assert.deepEqual([title, date, mediaType], ["The rowing club", "2021-03-04", "application/pdf"]);
});

test("a PDF that states to have no pages is damaged", async () => {
  const pdf = makePdf([[]]).toString("latin1");
  assert.ok(pdf.includes("/Count 1"));
  const none = Buffer.from(pdf.replace("/Count 1", "/Count 0"), "latin1");
  await assert.rejects(convertBytes(none), isUnreadable(/^The PDF is damaged: it has no pages\.$/));
});

test("a line in bold type is a heading where the text is not bold, and sentences, labels and words of code are none", async () => {
  const bold = (text: string, base: number): PdfText => ({ text, at: [50, base], isBold: true });
  const page: readonly PdfText[] = [
    ...column(700, [
      "The club owns two wooden boats, which are kept in the house by the lake all",
      "the year.",
    ]),
    bold("Members", 660),
    ...column(648, [
      "Members take them out on Sundays, and pay nothing for it, if they come back in",
      "time.",
    ]),
    bold("Nobody rows in winter.", 610),
    bold("Note:", 580),
    bold("end", 550),
    bold("Total 412.00 EUR", 520),
    ...column(
      490,
      Array.from(
        { length: 3 },
        () => "The boats are kept in the house by the lake all the year, and nobody rows.",
      ),
    ),
  ];
  const { text } = await convertText(makePdf([page]));
  assert.match(text, /the year\.\n\n# Members\n\nMembers take .* time\.\n\nNobody rows in winter\./);
  assert.equal(text.match(/^#/gm)?.length, 1);
  const all = await convertText(makePdf([page.map((line) => ({ ...line, isBold: true }))]));
  assert.doesNotMatch(all.text, /^#/m);
});

test("a title of two lines is one heading", async () => {
  const page: readonly PdfText[] = [
    { text: "The boats of the rowing club:", at: [50, 740], size: 24 },
    { text: "a history", at: [50, 699], size: 24 },
    ...["The club owns two wooden boats,", "which are kept in the house", "by the lake all the year."].map(
      (text, line): PdfText => ({ text, at: [50, 640 - line * 20], size: 12 }),
    ),
  ];
  const { text } = await convertText(makePdf([page]));
  assert.match(
    text,
    /^# The boats of the rowing club: a history\n\nThe club owns two wooden boats, which are kept/,
  );
});

test("large type that ends as a sentence is text beside smaller tables", async () => {
  const page: readonly PdfText[] = [
    { text: "The boats are kept in the house by the lake.", at: [50, 700], size: 12 },
    { text: "Boats", at: [50, 670], size: 12 },
    ...column(
      640,
      Array.from({ length: 9 }, () => "Nixe 4 1921, Undine 8 1935, Ran 2 1940, Sirene 4 1944"),
    ),
  ];
  const { text } = await convertText(makePdf([page]));
  assert.match(text, /^The boats are kept in the house by the lake\.\n\n# Boats\n/);
});

test("small digits above and below the line are powers, indices and marks of notes", async () => {
  const small = (text: string, left: number, base: number) => ({ text, at: [left, base], size: 7 }) as const;
  const page: readonly PdfText[] = [
    { text: "It holds 10", at: [50, 700] },
    small("6", 96.5, 704),
    { text: "cells of CO", at: [103, 700] },
    small("2", 152.2, 698),
    { text: "in the tower", at: [159, 700] },
    small("3", 211, 704),
    { text: "of the town, which has 106 steps in all.", at: [218, 700] },
  ];
  assert.equal(
    (await convertText(makePdf([page]))).text,
    "It holds 10⁶ cells of CO₂ in the tower [3] of the town, which has 106 steps in all.",
  );
});

test("lists and tables are recognised", async () => {
  const rows = [
    ["Boat", "Seats", "Built"],
    ["Nixe", "4", "1921"],
    ["Undine", "8", "1935"],
  ];
  const page = [
    ...column(700, ["The fleet of the club, as it was counted:"]),
    ...column(670, ["\x95 Oars", "\x95 Ropes"]),
    ...rows.flatMap((cells, row) =>
      cells.map((text, cell): PdfText => ({ text, at: [50 + cell * 120, 600 - row * 14] })),
    ),
  ];
  const { text } = await convertText(makePdf([page]));
  assert.equal(
    text,
    "The fleet of the club, as it was counted:\n\n- Oars\n- Ropes\n\n| Boat | Seats | Built |\n| --- | --- | --- |\n| Nixe | 4 | 1921 |\n| Undine | 8 | 1935 |",
  );
});

test("columns can be as near as those of common writers, and wide gaps in lines that are not below one another are none", async () => {
  const texts = (lines: readonly (readonly (readonly [text: string, left: number])[])[]) =>
    lines.flatMap((parts, line) =>
      parts.map(([text, left]): PdfText => ({ text, at: [left, 700 - line * 14], size: 10 })),
    );
  // "Boat" and "Seats" are 20.6 and 25.6 points wide, and 12 points lie behind them.
  const rows = ["Mast", "Oak", "Elm"].map((last) => [
    ["Boat", 50] as const,
    ["Seats", 82.6] as const,
    [last, 120.2] as const,
  ]);
  const { text } = await convertText(makePdf([texts(rows)]));
  assert.equal(
    text,
    "| Boat | Seats | Mast |\n| --- | --- | --- |\n| Boat | Seats | Oak |\n| Boat | Seats | Elm |",
  );
  const lines = [0, 14, 28].map((shift) => [
    ["Boat", 50] as const,
    ["Seats", 82.6 + shift] as const,
    ["Mast", 134.2 + shift / 2] as const,
  ]);
  assert.equal(
    (await convertText(makePdf([texts(lines)]))).text,
    "Boat Seats Mast Boat Seats Mast Boat Seats Mast",
  );
});

test("one wide cell does not join the columns of a long table", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => [
    `${at}`,
    at === 7 ? "a very long name of a boat" : "Nixe",
    "4",
  ]);
  const page = rows.flatMap((cells, row) =>
    cells.map(
      (text, cell): PdfText => ({
        text,
        at: [50 + cell * 90 + (row === 7 && cell === 2 ? 40 : 0), 700 - row * 14],
      }),
    ),
  );
  const { text } = await convertText(makePdf([page]));
  assert.match(
    text,
    /\| 6 \| Nixe \| 4 \|\n\| 7 \| a very long name of a boat \| 4 \|\n\| 8 \| Nixe \| 4 \|/,
  );
});

test("pages start where their text does, a sentence goes on across them, and headers and numbers of pages go", async () => {
  const contents = [
    "The boats are kept in the house by the lake",
    "all year round. In winter",
    "nobody rows.",
    "Then comes spring.",
  ];
  const pages = contents.map((text, index) => [
    { text: "Yearbook of the club", at: [50, 780] as const },
    ...column(700, [text]),
    { text: `Page ${index + 1}`, at: [290, 20] as const },
  ]);
  const { text, pages: starts } = await convertText(makePdf(pages));
  assert.equal(
    text,
    "Yearbook of the club\n\nThe boats are kept in the house by the lake all year round. In winter nobody rows.\n\nThen comes spring.",
  );
  const beginnings = starts.map(({ page, start }) => [
    page,
    text.slice(start).trimStart().split(" ", 2).join(" "),
  ]);
  assert.deepEqual(beginnings, [
    [1, "Yearbook of"],
    [2, "all year"],
    [3, "nobody rows.\n\nThen"],
    [4, "Then comes"],
  ]);
});

test("what pages have at their edges stays once, wherever it is written, and lines whose numbers are none of pages stay", async () => {
  const totals = ["412.00", "87.50", "1309.00", "640.25"];
  const pages = totals.map((total, index) => [
    { text: "Boats Ltd, 5 Quay, Ystad", at: [50, 20] as const },
    ...column(700, [index === 0 ? "The bills of the" : "of the year for boats and", "year"]),
    { text: `Total ${total}`, at: [50, 60] as const },
    { text: `Bill ${index + 4001}`, at: [50, 780] as const },
    { text: `${index + 17}`, at: [290, 800] as const },
  ]);
  const { text } = await convertText(makePdf(pages));
  assert.equal(text.match(/Boats Ltd, 5 Quay, Ystad/g)?.length, 1);
  assert.match(text, /\n\nBoats Ltd, 5 Quay, Ystad$/);
  for (const total of totals) assert.ok(text.includes(`Total ${total}`), total);
  for (const [index] of totals.entries()) {
    assert.ok(text.includes(`Bill ${index + 4001}`));
    assert.ok(!text.includes(`${index + 17}`));
  }
});

test("no line at the edge of pages is lost with its words", async () => {
  const pages = (heads: readonly (string | null)[]) =>
    makePdf(
      heads.map((head, at) => [
        ...column(700, [`Of the ${["boats", "oars", "masts", "sails", "ropes"][at]}`, "little is known."]),
        ...(head === null ? [] : [{ text: head, at: [50, 780] as const }]),
      ]),
    );
  const contract = "Contract of Acme and Borealis";
  const { text } = await convertText(pages([null, contract, contract, contract, contract]));
  assert.match(text, /known\.\n\nContract of Acme and Borealis$/);
  const numbered = await convertText(
    pages([1, 2, 3, 4, 5].map((page) => `${contract} 20231234, page ${page}`)),
  );
  assert.match(numbered.text, /^Contract of Acme and Borealis 20231234, page 1\n/);
  assert.equal(numbered.text.match(/Contract/g)?.length, 1);
  const invoice = await convertText(pages([1, 2, 3, 4].map((page) => `Invoice 4711 - ${page}`)));
  assert.match(invoice.text, /^Invoice 4711 - 1\n/);
  assert.equal(invoice.text.match(/Invoice/g)?.length, 1);
  const berths = await convertText(
    makePdf(
      [1, 2, 3].map(() => [
        { text: "Berth 17 rent 400", at: [50, 790] as const },
        { text: "Berth 18 rent 900", at: [50, 770] as const },
        ...column(700, ["Of the berth 12", "little is known."]),
      ]),
    ),
  );
  assert.match(berths.text, /^Berth 17 rent 400 Berth 18 rent 900\n/);
  const title = await convertText(pages([null, "Of the boats", "Of the boats", "Of the boats", null]));
  assert.equal(title.text.match(/Of the boats/g)?.length, 1);
  for (const row of [
    (at: number) => `Bill no. ${at + 101} of Acme to Borealis`,
    (at: number) => `Leith, ${[3, 4, 19, 2, 7][at]} May 2024, to all`,
    (at: number) => `Room ${at + 1} costs ${500 + at * 37} a night`,
  ]) {
    const rows = [0, 1, 2, 3, 4].map(row);
    const all = await convertText(pages(rows));
    const three = rows.slice(0, 3);
    const few = await convertText(pages(three));
    for (const each of three) assert.ok(few.text.includes(each), each);
    for (const each of rows) assert.ok(all.text.includes(each), each);
  }
});

test("the number of a page is one in figures or Roman ones, and of a chapter or beside it", async () => {
  const heads = ["i", "ii", "iii", "iv", "1-1", "1-2", "1-3", "2-1", "2-2", "2-3", "2-4"];
  const pages = heads.map((head, index) => [
    ...column(700, ["Rules", "of the club"]),
    { text: head, at: [290, 20] as const },
    { text: `Rules ${index + 1} of ${heads.length}`, at: [50, 780] as const },
  ]);
  const { text } = await convertText(makePdf(pages));
  assert.doesNotMatch(text, /[\dv]/);
});

test("a line that two pages share stays", async () => {
  const page = [{ text: "Members only", at: [50, 780] as const }, ...column(700, ["Rules."])];
  assert.match(
    (await convertText(makePdf([page, page]))).text,
    /Members only\s{1,9}Rules\.\s{1,9}Members only/,
  );
});

test("a table of contents without dots goes, too; a table whose last column rises stays, and one whose numbers fall", async () => {
  const row = (y: number, cells: readonly string[]) =>
    cells.map((text, at) => ({ text, at: [50 + at * 150, y] as const }));
  const rows = (y: number, all: readonly (readonly string[])[]) =>
    all.flatMap((cells, at) => row(y - at * 14, cells));
  const contents = rows(700, [
    ["1", "Boats", "2"],
    ["1.1", "Oars", "2"],
    ["2", "Members", "3"],
    ["2.1", "Fees", "11"],
  ]);
  const boats = [
    { text: "1 Boats", at: [50, 700] as const, size: 14 },
    { text: "1.1 Oars", at: [50, 660] as const, size: 12 },
    ...rows(600, [
      ["Tern", "oak", "12"],
      ["Heron", "ash", "14"],
      ["Gull", "ash", "19"],
    ]),
    { text: "* * *", at: [50, 500] as const },
    ...rows(400, [
      ["2019", "100", "12"],
      ["2020", "230", "15"],
      ["2021", "240", "19"],
    ]),
  ];
  const members = [
    { text: "2 Members", at: [50, 700] as const, size: 14 },
    { text: "2.1 Fees", at: [50, 660] as const, size: 12 },
    ...rows(600, [
      ["Boats", "a year", "30"],
      ["Oars", "a year", "20"],
      ["Fees", "a year", "10"],
    ]),
  ];
  const { text } = await convertText(makePdf([contents, boats, members]));
  assert.match(text, /^#* ?1 Boats/);
  assert.match(text, /\| Tern \| oak \| 12 \|\n\|[-| ]*\n\| Heron \| ash \| 14 \|/);
  assert.match(text, /\| Boats \| a year \| 30 \|/);
  assert.match(text, /\| 2020 \| 230 \| 15 \|/);
  assert.doesNotMatch(text, /\| 11/);
});

test("a table of names and numbers about which the sections are is no table of contents", async () => {
  const row = (y: number, cells: readonly string[]) =>
    cells.map((text, at) => ({ text, at: [50 + at * 150, y] as const }));
  const names = ["Foundation", "Incorporation", "Listing"];
  const years = names.flatMap((name, at) => row(700 - at * 14, [name, `${1998 + at * 6}`]));
  const sections = names.flatMap((name, at) => [
    { text: name, at: [50, 500 - at * 100] as const, size: 14 },
    { text: `Of the ${name.toLowerCase()} little is known.`, at: [50, 470 - at * 100] as const },
  ]);
  for (const pages of [[[...years, ...sections]], [years, sections], [years, sections, sections]]) {
    const { text } = await convertText(makePdf(pages));
    assert.match(text, /1998.*2004.*2010/s);
  }
});

test("a table of contents goes: its lines are the headings again; a list of prices stays", async () => {
  const dots = ". ".repeat(20);
  const contents = [
    { text: "The rowing club", at: [50, 700] as const, size: 20 },
    ...column(660, [
      `1. Boats ${dots}2`,
      `1.1. Oars of the larger boats and ropes for`,
      `mooring ${dots}2`,
      `2. Members ${dots}3`,
      `Index ${".".repeat(30)} iv`,
    ]),
  ];
  const boats = [
    { text: "1. Boats", at: [50, 700] as const, size: 14 },
    ...column(660, ["Two boats are kept by the lake."]),
    ...column(600, [`Oar ${dots}12`, `Rope ${dots}14`, `Paddle ${dots}9`]),
  ];
  const members = [
    { text: "2. Members", at: [50, 700] as const, size: 14 },
    ...column(660, ["Anybody may join."]),
  ];
  const { text } = await convertText(makePdf([contents, boats, members]));
  assert.equal(
    text,
    "# The rowing club\n\n## 1. Boats\n\nTwo boats are kept by the lake.\n\nOar 12 Rope 14 Paddle 9\n\n## 2. Members\n\nAnybody may join.",
  );
});
