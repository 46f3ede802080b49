import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import type { SummaryInput } from "./summarize.ts";
import { summarize } from "./test-summarize.ts";

type SummaryChunk = SummaryInput["chunks"][number];

function chunk(text: string, given: Partial<SummaryChunk> = {}): SummaryChunk {
  return { text, versionId: 1, start: 0, similarity: 0.8, ...given };
}

/** Invented passages, several chunks long together. */
const documents = {
  bridge: `The Harrow Bridge
The Harrow Bridge crosses the river Ostel between the towns of Lindow and Pell. It replaced a ferry that had run since the Middle Ages. Construction began in 1871 and took four years. The engineer Matilda Kerrigan designed it as a chain of nine brick arches. The bridge is 412 metres long and carries a single railway track. It was closed to traffic in March 1962 because the piers had been undermined by floods. Cyclists have used it since a restoration. The restoration cost 2.4 million crowns and was paid for by the county. Kingfishers nest in the embankment.`,
  coffee: `# Roasting guide

A first crack is the popping sound that beans make when steam breaks their shell. It usually comes after nine minutes. Light roasts are stopped soon afterwards. Dark roasts go on until oil appears on the surface. Beans should rest for 12 hours in an open tin so that carbon dioxide can escape. Never store them in the refrigerator. You clean the drum by brushing it with dry rice flour. The thermometer must be calibrated every six weeks. Most of our beans come from the hills above Tarima.`,
  company: `Orvane Instruments makes flow meters for breweries and dairies. The company was founded by Piet Halloran and his sister Ingrid. Its headquarters are in Wexmoor, next to the old tannery. Some 340 people work there today. Lena Abascal has been chief executive since 2019. The annual report for 2021 shows revenue of 58 million euros. Orvane sold its valve business in order to concentrate on sensors. The buyer was Castellan Group. The OV-7 meter measures up to 900 litres a minute. Every meter carries a warranty of five years.`,
  bird: `The marsh lark is a small brown songbird of reed beds. Adults weigh about 19 grams. The female lays four or five eggs in May. She breeds only on the northern shore of Lake Addal. Numbers fell because reeds were cut in spring. The ornithologist Jonas Brecht described the species in 1833. Its song lasts up to forty seconds. Unlike other larks it cannot be seen in winter, which it spends in the deltas of the south. It eats beetles and the seeds of sedges.`,
  backup: `## Backups

A snapshot is a read-only copy of a volume at one moment. Snapshots are taken hourly. To restore a file, open the snapshot in the console and drag the file to its folder. Snapshots are kept for 30 days. The retention period can be extended by an administrator. Restores do not count against the storage quota. Error E-4031 means that the target volume is full. Encrypted volumes need the passphrase of the owner. Backups run at 02:30 in the local time zone of the cluster.`,
  play: `The Salt Orchard is a play in three acts by Dorothea Vance. It was first performed at the Meridian Theatre in Calder on 14 October 1908. The critics disliked the last act. Vance rewrote it within a week. The heroine, Agnes Thorley, inherits an orchard that the sea has flooded. A film followed in 1951, directed by Emil Sandoz. The manuscript is kept in the city library. Schools still stage the play every autumn.`,
} as const;

const cases: readonly (readonly [keyof typeof documents, question: string, answer: string])[] = [
  ["bridge", "When did construction of the Harrow Bridge begin?", "began in 1871"],
  ["bridge", "Who designed the Harrow Bridge?", "Matilda Kerrigan"],
  ["bridge", "How long is the Harrow Bridge?", "412 metres"],
  ["bridge", "Why was the bridge closed?", "because the piers"],
  ["bridge", "How much did the restoration cost?", "2.4 million"],
  ["bridge", "Which river does the Harrow Bridge cross?", "river Ostel"],
  ["bridge", "how many arches does it have", "nine brick arches"],
  ["coffee", "What is a first crack?", "popping sound"],
  ["coffee", "How long should beans rest?", "12 hours"],
  ["coffee", "Why should beans rest in an open tin?", "carbon dioxide"],
  ["coffee", "How do you clean the drum?", "dry rice flour"],
  ["coffee", "Where do the beans come from?", "hills above Tarima"],
  ["coffee", "How often must the thermometer be calibrated?", "every six weeks"],
  ["company", "Who founded Orvane Instruments?", "Piet Halloran"],
  ["company", "Where is the headquarters of Orvane?", "Wexmoor"],
  ["company", "How many people work at Orvane?", "340 people"],
  ["company", "Who is the chief executive of Orvane?", "Lena Abascal"],
  ["company", "What was the revenue in 2021?", "58 million"],
  ["company", "Why did Orvane sell its valve business?", "in order to concentrate"],
  ["company", "How long is the warranty?", "five years"],
  ["company", "Who bought the valve business?", "Castellan Group"],
  ["bird", "What is the marsh lark?", "small brown songbird"],
  ["bird", "How much does an adult marsh lark weigh?", "19 grams"],
  ["bird", "Who described the marsh lark?", "Jonas Brecht"],
  ["bird", "Where does the marsh lark breed?", "Lake Addal"],
  ["bird", "Why did the numbers of the marsh lark fall?", "reeds were cut"],
  ["backup", "What does error E-4031 mean?", "target volume is full"],
  ["backup", "How long are snapshots kept?", "30 days"],
  ["backup", "How do I restore a file?", "drag the file"],
  ["backup", "When do backups run?", "02:30"],
  ["backup", "Do restores count against the quota?", "do not count"],
  ["play", "When was The Salt Orchard first performed?", "14 October 1908"],
  ["play", "Who directed the film of The Salt Orchard?", "Emil Sandoz"],
  ["play", "Where is the manuscript kept?", "city library"],
];

/** The document that holds the answer among the others, all with about the same score. */
function chunksFor(target: keyof typeof documents): SummaryChunk[] {
  const names = Object.keys(documents) as (keyof typeof documents)[];
  const ordered = [target, ...names.filter((name) => name !== target)];
  return ordered.map((name, index) =>
    chunk(documents[name], {
      versionId: names.indexOf(name) + 1,
      similarity: 0.7 - index * 0.06,
    }),
  );
}

test("The sentence with the answer is quoted for nearly all of 34 questions.", () => {
  const missed: string[] = [];
  for (const [target, query, answer] of cases) {
    const summary = summarize({ query, chunks: chunksFor(target) });
    if (!summary.includes(answer)) missed.push(`${query} → ${summary}`);
    assert.ok(summary.length <= 1200);
  }
  assert.ok(cases.length - missed.length >= 33, missed.join("\n"));
});

test("The sentence with the answer alone comes first for most questions about one document.", () => {
  const missed: string[] = [];
  for (const [target, query, answer] of cases) {
    const text = documents[target].replace(/\n+/g, " ");
    const sentences = text.split(/(?<=\.) (?=[A-Z])/).map((sentence, index) =>
      // Each sentence a document of its own: the first one quoted is the best.
      chunk(sentence, { versionId: index + 1, start: 1 }),
    );
    // No names: that most of these documents have none of the question's does not matter here.
    const summary = summarize({ query, chunks: sentences, names: [] });
    const first = sentences.find((sentence) => summary.startsWith(sentence.text.slice(0, 20)));
    if (first?.text.includes(answer) !== true) missed.push(`${query} → ${summary}`);
  }
  assert.ok(cases.length - missed.length >= 26, `${missed.length}\n${missed.join("\n")}`);
});

test("No chunks give no summary.", () => {
  assert.equal(summarize({ query: "Why?", chunks: [] }), "");
  assert.equal(summarize({ query: "Why?", chunks: [chunk(" \n ")] }), "");
});

test("Sentences are quoted verbatim, the best one first with what it refers back to, the others in reading order, and between two and four of them.", () => {
  const other = chunk("Ferries once crossed the Ostel. The toll was two pence in 1820.", {
    versionId: 9,
    similarity: 0.3,
  });
  const summary = summarize({
    query: "When was the bridge closed?",
    chunks: [other, chunk(documents.bridge)],
  });
  const quoted = summary.split(/(?<=[a-z\d]\.) /);
  assert.ok(quoted.length >= 2 && quoted.length <= 4, summary);
  const places = quoted.map((sentence) => documents.bridge.indexOf(sentence)).filter((place) => place !== -1);
  const best = quoted.findIndex((sentence) => sentence.includes("March 1962"));
  assert.ok(best === 0 || best === 1, summary);
  const further = places.slice(best + 1);
  assert.ok(further.length > 0, summary);
  assert.deepEqual(
    further,
    further.toSorted((a, b) => a - b),
  );
  assert.ok(quoted.every((sentence) => documents.bridge.includes(sentence) || other.text.includes(sentence)));
});

test("A sentence that two chunks share, or two documents, is quoted once; so is a near copy.", () => {
  const text = "Pumps need oil every week. The oil must be of grade 40.";
  const summary = summarize({
    query: "Which oil do pumps need?",
    chunks: [
      chunk(text),
      chunk(text.slice(27), { start: 27 }),
      chunk(text, { versionId: 2 }),
      chunk("The oil must be of a grade 40!", { versionId: 3 }),
    ],
  });
  assert.equal(summary, text);
  const copies = ["The oil must be of grade 40.", "Oil of grade 40 it must be!", "THE OIL: GRADE 40"];
  const chunks = copies.map((copy, index) => chunk(copy, { versionId: index }));
  assert.equal(summarize({ query: "Which oil?", chunks }), copies[0]);
});

test("Headings, rules, menus, code and fragments are not quoted where there is prose.", () => {
  const text = [
    "Pump oil",
    "",
    "Home | Pump oil | Contact",
    "## Which pump oil?",
    "```",
    "pump.oil(); // pump oil.",
    "```",
    "---",
    "Pump oil",
    "",
    "- Any mineral oil will do for a pump of the old series.",
  ].join("\n");
  const summary = summarize({ query: "Which pump oil?", chunks: [chunk(text)] });
  assert.equal(summary, "Which pump oil?\nPump oil\nAny mineral oil will do for a pump of the old series.");
  assert.ok(!/##|```|---|oil\(\)/.test(summary));
  assert.equal(summarize({ query: "oil", chunks: [chunk("# Pump oil")] }), "Pump oil");
});

test("A table row or a line of a data sheet is quoted if nothing else answers.", () => {
  const text =
    "Prices change often.\n\n| Item | Price |\n|---|---|\n| Gasket set | 14 crowns |\n\nPhone: 555 0199\n\nWe are closed on Sundays.";
  assert.match(
    summarize({ query: "What is the price of a gasket set?", chunks: [chunk(text)] }),
    /14 crowns/,
  );
  assert.match(summarize({ query: "phone", chunks: [chunk(text)] }), /555 0199/);
});

test("Of an endless sentence the part that answers is quoted, cut between words.", () => {
  const text = `${"and so on ".repeat(5_000)}the valve opens at 80 degrees ${"and so on ".repeat(50)}.`;
  const summary = summarize({ query: "When does the valve open?", chunks: [chunk(text)] });
  assert.ok(summary.length <= 1300);
  assert.match(summary, /…(?:and|so|on) [^…]*valve opens at 80 degrees[^…]* (?:and|so|on)…/);
});

test("Summaries of other languages and of questions without any term are made, too.", () => {
  const chinese = "水泵每周需要加油。油的等级必须是四十号。仓库在北京。";
  assert.ok(summarize({ query: "仓库在哪里？", chunks: [chunk(chinese)] }).includes("仓库在北京。"));
  assert.notEqual(summarize({ query: "???", chunks: [chunk(documents.bird)] }), "");
});

test("A line that says only what the question says does not answer what it asks for", () => {
  const mail =
    "From: Ida Rell\nTo: all\nSubject: Head of production at Corvane\n\nAs you know, Tove Lund was head of production at Corvane until March. From April on Otto Lisk is head of production.";
  const query = "Who became head of production at Corvane after Tove Lund?";
  assert.match(summarize({ query, chunks: [chunk(mail)] }), /^As you know.* Otto Lisk/);
});

test("Any text gives a bounded summary, the same each time.", () => {
  const text = fc.oneof(
    fc.array(fc.nat(0xffff), { maxLength: 300 }).map((units) => String.fromCharCode(...units)),
    fc.constantFrom("A b c. ", "| a |", "word ".repeat(200)),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.string({ maxLength: 40 }), (texts, query) => {
      const chunks = texts.map((part, index) => chunk(part, { versionId: index % 2, start: index * 100 }));
      const summary = summarize({ query, chunks });
      assert.ok(summary.length <= 1300);
      assert.equal(summarize({ query, chunks }), summary);
      if (texts.some((part) => /[\p{L}\p{N}]/u.test(part))) assert.notEqual(summary, "");
    }),
  );
});

test("The time for hostile texts and questions grows with their length alone.", async () => {
  const units = ["A", "A ", "Aa ", "a.", "1", "1,", "in A", "is ", "by xing ", "| ", "Aa de ", "A1 ", "4 A"];
  await assertLinear("summaries", 3_000, (length) => {
    for (const unit of units) {
      const long = unit.repeat(length);
      const chunks = [chunk(long), chunk(long, { versionId: 2 })];
      for (const query of ["who", "how many", "where", "what is a", "when", "A1-A1-A1-A1-B1", long])
        summarize({ query, chunks });
    }
  });
});
