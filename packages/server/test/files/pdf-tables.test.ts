/** Tables of a PDF whose cells are bounded by lines. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { convertText } from "./convert.ts";
import { FIRST_FORM, makePdfOfForms, makePdfOfStreams, type PdfText, show } from "./make-pdf.ts";

async function convertPage(texts: readonly PdfText[], drawn: string, pageEntries = ""): Promise<string> {
  return convertStream(`${drawn}\n${texts.map(show).join("\n")}`, pageEntries);
}

async function convertStream(stream: string, pageEntries = ""): Promise<string> {
  const { text } = await convertText(makePdfOfStreams([Buffer.from(stream, "latin1")], "", pageEntries));
  return text;
}

/** Strokes of a border: levels from left to right, uprights from below to above. */
function lines(levels: readonly (readonly number[])[], uprights: readonly (readonly number[])[]): string {
  return [
    ...levels.map(([y, from, to]) => `${from} ${y} m ${to} ${y} l S`),
    ...uprights.map(([x, from, to]) => `${x} ${from} m ${x} ${to} l S`),
  ].join("\n");
}

const fleet: readonly PdfText[] = [
  { text: "The fleet of the club:", at: [50, 730] },
  { text: "Boat", at: [55, 700] },
  { text: "Remarks", at: [155, 700] },
  { text: "Nixe", at: [55, 680] },
  { text: "was built in Ystad and is", at: [155, 680] },
  { text: "kept in the house", at: [155, 668] },
  { text: "Undine", at: [55, 650] },
  { text: "sunk", at: [155, 650] },
  { text: "It was counted in May.", at: [50, 620] },
];
const border = lines(
  [710, 692, 662, 645].map((y) => [y, 50, 300]),
  [50, 150, 300].map((x) => [x, 645, 710]),
);

const TABLE =
  "The fleet of the club:\n\n| Boat | Remarks |\n| --- | --- |\n| Nixe | was built in Ystad and is kept in the house |\n| Undine | sunk |\n\nIt was counted in May.";

test("cells are bounded by lines, whatever their text's lines and however few columns there are", async () => {
  assert.equal(await convertPage(fleet, border), TABLE);
});

test("borders may be thin areas, cells that are filled, drawn in parts and in a form that is moved", async () => {
  const areas = [
    ...[710, 692, 662, 645].flatMap((y) => [`50 ${y} 100 .5 re f`, `150 ${y} 150 .5 re f`]),
    ...[50, 150, 300].flatMap((x) => [`${x} 645 .5 40 re f`, `${x} 684 .5 26 re f`]),
  ].join("\n");
  assert.equal(await convertPage(fleet, areas), TABLE);
  const row = (y: number, height: number, scale: number) =>
    `${50 / scale} ${y} ${100 / scale} ${height} re f ${150 / scale} ${y} ${150 / scale} ${height} re f`;
  const moved = `q 2 0 0 1 0 -100 cm 1 0 0 1 0 100 cm 0.9 g ${row(692, 18, 2)} Q ${row(662, 30, 1)} ${row(645, 17, 1)}`;
  assert.equal(await convertPage(fleet, moved), TABLE);
});

test("a side without a line ends where the others do", async () => {
  const open = lines(
    [692, 662].map((y) => [y, 50, 300]),
    [[150, 645, 710]],
  );
  assert.equal(await convertPage(fleet, open), TABLE);
});

test("pages that are turned to be seen are read as they are seen", async () => {
  const turned = `q 0 1 -1 0 740 0 cm\n${border}\n${fleet.map(show).join("\n")} Q`;
  assert.equal(await convertStream(turned, "/Rotate 90"), TABLE);
  const upsideDown = `q -1 0 0 -1 600 800 cm\n${border}\n${fleet.map(show).join("\n")} Q`;
  assert.equal(await convertStream(upsideDown, "/Rotate 180"), TABLE);
});

test("underlined words and boxes in a cell are of the cell", async () => {
  assert.equal(await convertPage(fleet, `${border}\n${lines([[678, 151, 262]], [])}`), TABLE);
  const box = "200 678 20 10 re S 210 678 20 10 re S 200 683 30 .5 re f";
  assert.equal(await convertPage(fleet, `${border}\n${box}`), TABLE);
});

test("a long text of a cell is in the first of its rows alone, and areas that are no rectangles are no cells", async () => {
  const long = "kept in the house by the lake all the year, and rowed in summer".split(" ");
  const texts: readonly PdfText[] = [
    ...Array.from({ length: 4 }, (_, at) => ({ text: `Nixe ${at}`, at: [55, 700 - at * 18] as const })),
    ...[...long, ...long].map((text, at) => ({ text, at: [155, 705 - at * 3] as const, size: 3 })),
  ];
  const tall = lines(
    [[713, 50, 300], ...[695, 677, 659].map((y) => [y, 50, 150]), [617, 50, 300]],
    [50, 150, 300].map((x) => [x, 617, 713]),
  );
  assert.equal((await convertPage(texts, tall)).match(/kept in/g)?.length, 2);
  const triangles = border.replace(/(\d+) (\d+) m (\d+) (\d+) l S/g, "$1 $2 m $3 $4 l 5 5 l f");
  assert.doesNotMatch(await convertPage(fleet, triangles), /\|/);
});

const content = `${border}\n${fleet.map(show).join("\n")}`;

test("forms that use forms that use forms are not followed without end, and what annotations draw is not of the page", async () => {
  const forms = Array.from({ length: 30 }, (_, at) => (at === 29 ? "0 0 m 9 9 l S" : "/X Do /X Do"));
  const nested = await convertText(makePdfOfForms(`${content} /X Do`, forms));
  assert.match(nested.text, /^The fleet of the club:/);
  const stamp = `/Annots [<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 600 800] /AP << /N ${FIRST_FORM} 0 R >> >>]`;
  const stamped = await convertText(makePdfOfForms(fleet.map(show).join("\n"), [border], stamp));
  assert.doesNotMatch(stamped.text, /\|/);
});

test("a cell that spans rows is in each of them, one that spans columns in the first", async () => {
  const texts: readonly PdfText[] = [
    { text: "Boat", at: [55, 700] },
    { text: "Oars and masts", at: [155, 700] },
    { text: "Nixe", at: [55, 672] },
    { text: "4", at: [155, 680] },
    { text: "1", at: [255, 680] },
    { text: "6", at: [155, 662] },
    { text: "2", at: [255, 662] },
  ];
  const border = lines(
    [
      [710, 50, 350],
      [692, 50, 350],
      [674, 150, 350],
      [656, 50, 350],
    ],
    [
      [50, 656, 710],
      [150, 656, 710],
      [250, 656, 692],
      [350, 656, 710],
    ],
  );
  assert.equal(
    await convertPage(texts, border),
    "| Boat | Oars and masts |  |\n| --- | --- | --- |\n| Nixe | 4 | 1 |\n| Nixe | 6 | 2 |",
  );
});

test("lines of a chart, a box and the lines between columns of a page are no table", async () => {
  const chart = lines(
    Array.from({ length: 8 }, (_, at) => [640 + at * 10, 50, 300]),
    Array.from({ length: 8 }, (_, at) => [50 + at * 35, 640, 710]),
  );
  for (const drawn of [chart, "40 610 300 150 re S", ""])
    assert.doesNotMatch(await convertPage(fleet, drawn), /\|/, drawn);
  const prose = "The boats are kept in the house by the lake all the year, and nobody rows. ".repeat(17);
  const column = (left: number): readonly PdfText[] =>
    Array.from({ length: 24 }, (_, at) => ({
      text: prose.slice(at * 50, at * 50 + 50),
      at: [left, 700 - at * 10],
      size: 6,
    }));
  const frame = lines(
    [720, 580, 460].map((y) => [y, 40, 560]),
    [40, 290, 560].map((x) => [x, 460, 720]),
  );
  assert.doesNotMatch(await convertPage([...column(45), ...column(300)], frame), /\|/);
});

test("a page that draws more lines than tables have is read as if it had none", async () => {
  const map = Array.from({ length: 12_000 }, () => border.split("\n")[0]);
  assert.match(
    await convertPage(fleet, [...map, border].join("\n")),
    /^The fleet of the club:\s+Boat\s+Remarks/,
  );
});
