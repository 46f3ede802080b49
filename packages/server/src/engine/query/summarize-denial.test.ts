import assert from "node:assert/strict";
import { test } from "node:test";
import { composeSummary, type SummaryInput, scoreAnswer } from "./summarize.ts";
import { summarize } from "./test-summarize.ts";

type SummaryChunk = SummaryInput["chunks"][number];

const text =
  "The ferry to Orrin leaves at noon. The fare of the VX-20 lounge is nine crowns. Dogs travel free of charge.";

function ask(query: string, given: Partial<SummaryChunk> = {}): string {
  return summarize({
    query,
    chunks: [{ text, versionId: 1, start: 0, similarity: 0.2, cosine: 0.2, fused: 0.2, ...given }],
  });
}

const DENIED = "No passage that was found answers this.";

test("A question that has nothing to do with the chunks is told so, and nothing is quoted", () => {
  assert.equal(ask("Which enzyme copies chromosomes?"), DENIED);
});

test("A question that shares a little with the chunks is told so before the nearest sentences", () => {
  const summary = ask("Which harbour did the ferry of the emperor use?");
  assert.match(summary, new RegExp(`^${DENIED} What comes nearest:\\nThe ferry to Orrin leaves at noon\\.`));
});

test("What comes nearest is told as quoted", () => {
  const chunk = { text, versionId: 1, start: 7, similarity: 0.2, cosine: 0.2, fused: 0.2 };
  const input = { query: "Which harbour did the ferry of the emperor use?", chunks: [chunk] };
  const { quoted, answers } = composeSummary(input, scoreAnswer(input));
  assert.deepEqual([quoted[0]?.chunk, quoted[0]?.start, answers], [0, 7, []]);
  const other = { ...input, query: "Which enzyme copies chromosomes?" };
  assert.deepEqual(composeSummary(other, scoreAnswer(other)).quoted, []);
});

test("What is near by its vector, covered by its words, or of unknown nearness is answered", () => {
  assert.match(ask("Which enzyme copies chromosomes?", { fused: 0.5 }), /^The ferry/);
  assert.match(ask("Which enzyme copies chromosomes?", { cosine: 0.5 }), /^The ferry/);
  assert.match(
    ask("Which enzyme copies chromosomes?", { cosine: 0.35 }),
    /answers this\. What comes nearest:\nThe ferry/,
  );
  assert.match(ask("When does the ferry leave?"), /leaves at noon/);
  const unknown = { text, versionId: 1, start: 0, similarity: 0.2 };
  assert.match(summarize({ query: "Which enzyme copies chromosomes?", chunks: [unknown] }), /^The ferry/);
  assert.match(ask("What is it?"), /^The ferry/);
});

test("A sentence with half of the question's words answers, however rare the others are", () => {
  const query = "Which quays take dogs to the ferry of Zwartsluis on Whitsunday?";
  assert.match(ask(query), /^No passage/);
  assert.match(ask("Which quays take dogs free of charge?"), /Dogs travel free of charge/);
  assert.doesNotMatch(ask("Which quays take dogs free of charge?"), /^No passage/);
});

test("A model or code that no chunk has is named, whatever else is near; one that a chunk or its header has is not", () => {
  const near = { fused: 0.8 };
  assert.match(
    ask("What is the fare of the VX-30 lounge?", near),
    /^No passage that was found mentions “VX-30”\. What comes nearest:\n.*nine crowns/s,
  );
  for (const query of [
    "What is the fare of the vx20 lounge?",
    "Is the fare of the VX-20 lounge 9pm?",
    "Is the fare of the VX-20 lounge due at 10AM?",
    "What is the fare in the 2nd lounge?",
  ])
    assert.doesNotMatch(ask(query, near), /mentions/);
  assert.doesNotMatch(ask("What is the fare of QT-7?", { ...near, header: "Boats > QT-7" }), /mentions/);
});

test("Two models in one breath, and several of one, are those that the chunks have", () => {
  const boats = "The QT-7 carries cars. The QT-9 carries lorries.";
  for (const query of ["Do cars fit on the QT-7/QT-9?", "What do QT-7s carry?"])
    assert.doesNotMatch(ask(query, { text: boats, fused: 0.8 }), /mentions/);
  assert.match(ask("Do cars fit on the QT-7/QT-8?", { text: boats, fused: 0.8 }), /mentions “QT-7\/QT-8”/);
});

test("a name by letters and figures is found in every spelling of its characters", () => {
  for (const [query, text] of [
    ["What are the CO2 emissions?", "The CO₂ emissions are 12 tonnes a year."],
    ["What is the limit of PM2.5?", "The limit of PM₂.₅ is low."],
    ["How many beds has the COVID-19 ward?", "The COVID\u201119 ward has 30 beds."],
    ["How many beds has the COVID-19 ward?", "The COVID\u221219 ward has 30 beds."],
    ["How many beds has the COVID-19 ward?", "The CO\u00adVID—19 ward has 30 beds."],
    ["What does \u00c4B-20 weigh?", "The A\u0308B-20 weighs 12 kg."],
    ["What does A\u0308B-20 weigh?", "The \u00c4B-20 weighs 12 kg."],
    ["What does KCS_PORT2 change?", "KCS\\_PORT2 changes the port."],
    ["Who wrote FL2040?", "ＦＬ２０４０ is by Ida Rell."],
  ] as const)
    assert.doesNotMatch(ask(query, { text, fused: 0.8 }), /mentions/, query);
  assert.match(
    ask("What are the CO3 emissions?", { text: "The CO₂ emissions rise.", fused: 0.8 }),
    /mentions “CO3”/,
  );
});

test("Where nobody can tell whether the passages answer, they are listed and nothing is claimed", () => {
  const reading = { answer: null, isComplete: false, isUnsure: true };
  const chunks = [{ text, versionId: 1, start: 0, similarity: 0.2, cosine: 0.6, fused: 0.6 }];
  const summary = summarize({ query: "When does the ferry leave?", chunks, reading });
  assert.match(
    summary,
    /^Whether these passages answer cannot be told in this language\. What comes nearest:\n.*leaves at noon/s,
  );
});

test("a name is found beside letters of other scripts, and without the words that a language joins to it", () => {
  const mentioned = [
    ["X300水泵的重量是多少？", "X300水泵重18公斤，每分钟输送40升水。"],
    ["X300の重さはどれくらいですか", "X300の重さは18キログラムです。"],
    ["Q900의 무게는 얼마입니까?", "Q900은 무게가 18kg입니다."],
    ["เครื่องZ55หนักเท่าไร", "เครื่อง Z55 หนัก 18 กิโลกรัม"],
    ["Wie schwer ist die VX-20-Pumpe?", "Die Pumpe VX-20 wiegt 18 kg."],
    ["Wie schwer ist die Tauchpumpe-VX-20?", "Die Pumpe VX-20 wiegt 18 kg."],
    ["Mennyi az A380-as tömege?", "Az A380 tömege 276 tonna."],
    ["Mennyi az A380as tömege?", "Az A380 tömege 276 tonna."],
    ["What does the B45-type printer weigh?", "The B45 printer weighs 9 kg."],
    ["Who made PX400ever?", "PX400ever was made by Ida Rell."],
  ] as const;
  for (const [query, text] of mentioned)
    assert.doesNotMatch(ask(query, { text, fused: 0.8 }), /mentions/, query);
  const missing = [
    ["X301水泵的重量是多少？", "X301"],
    ["Q901의 무게는 얼마입니까?", "Q901"],
    ["Wie schwer ist die VX-30-Pumpe?", "VX-30"],
    ["Wie viele Betten hat die COVID-18-Station?", "COVID-18"],
    ["What does the VX-20-EU weigh?", "VX-20-EU"],
  ] as const;
  const others = "X300水泵 Q900은 VX-20-US COVID-19 weigh 18 kg.";
  for (const [query, name] of missing)
    assert.match(ask(query, { text: others, fused: 0.8 }), new RegExp(`mentions “${name}”`), query);
});

test("A sentence that has nearly all that the question says answers, though a model that read it found no answer in its form", () => {
  const reading = { answer: null, isComplete: true };
  const summaryOf = (query: string) =>
    summarize({
      query,
      chunks: [{ text, versionId: 1, start: 0, similarity: 0.2, cosine: 0.2, fused: 0.2 }],
      reading,
    });
  assert.doesNotMatch(summaryOf("What is the fare of the VX-20 lounge?"), /^No passage/);
  assert.match(summaryOf("Who painted the fare of the VX-20 lounge?"), new RegExp(`^${DENIED}`));
});

test("a thing named by a word and a number is denied where chunks have only others of them", () => {
  const others = {
    ...{ fused: 0.8, header: "Amber Coast 1001" },
    text: "Amber Coast 1001 was directed by Ida Rell. Bridge 12 is red. In room 210 the lamp, order 4410, is new. Since 2001 release 3.2 has 9 doors.",
  };
  for (const [query, name] of [
    ["Who directed Amber Coast 1003?", "Amber Coast 1003"],
    ["Is Bridge 52 red?", "Bridge 52"],
    ["What is new in room 218?", "room 218"],
    ["Which lamp is order 4411 for the room?", "order 4411"],
    ["What is new in release 3.5?", "release 3.5"],
  ] as const)
    assert.match(ask(query, others), new RegExp(`^No passage that was found mentions “${name}”`), query);
  for (const query of [
    ...["Who directed Amber Coast 1001?", "Is Bridge 12 red?", "What is new in release 3?"],
    ...[
      "What is new since 1998?",
      "Are there doors in release 3 days ago?",
      "Is Harbour 52 red?",
      "Bridge 12?",
    ],
    ...["Does room 300 people need a lamp?", "Is Bridge 50,000 crowns?", "Is Bridge 9 red?"],
  ])
    assert.doesNotMatch(ask(query, others), /mentions/, query);
});

test("a name of several words is denied where no chunk has one of them, its initials or another form of them", () => {
  const text =
    "Ida Rell was born in Velden. The C.B.A. and the Coastal Railway were founded by her in the year 1910.";
  const chunk = { text, fused: 0.8 };
  for (const [query, name] of [
    ["Where was Odo Marn born?", "Odo Marn"],
    ["Who founded the Gorse Valley Bank in the year 1910?", "Gorse Valley Bank"],
    ["Which Laurel did Ida Rell win?", "Laurel"],
  ] as const)
    assert.match(ask(query, chunk), new RegExp(`^No passage that was found mentions “${name}”`), query);
  for (const query of [
    ...["Where was Ida Marn born?", "Where was she born in the Coastline Hills?", "Where was Odo born?"],
    ...[
      "Which Railways did Ida Rell found?",
      "Which Gorse town is Velden?",
      "Which laurel did Ida Rell win?",
    ],
    "What is the Central Bank Agency and who founded it?",
  ])
    assert.doesNotMatch(ask(query, chunk), /mentions/, query);
  const german = {
    text: "Ida Rell wurde in Velden geboren. Die Bahn an der Küste und das Werk sind von ihr.",
    fused: 0.8,
  };
  assert.doesNotMatch(ask("Where was the Gorse Valley Bank founded?", german), /mentions/);
  assert.doesNotMatch(ask("Wo wurde die Große Mühle gebaut?", chunk), /mentions/);
});

test("a setting or function that no chunk has is denied; one is found in every spelling", () => {
  const settings = { text: "The retry_jitter of the client is 3. Its logLevel is high.", fused: 0.8 };
  assert.match(ask("What is the default of maxRetries?", settings), /mentions “maxRetries”/);
  for (const query of [
    "What is retryJitter?",
    "What is retry_jitter?",
    "What is log_level?",
    "Is macOS high?",
  ])
    assert.doesNotMatch(ask(query, settings), /mentions/, query);
});

test("A kind that passages about something else have is denied with what it is asked of, and these are not quoted", () => {
  const chunkOf = (versionId: number, whole: string) => ({
    text: whole,
    versionId,
    start: 0,
    similarity: 0.5,
  });
  const film = chunkOf(1, "The Lantern is a 1931 film about a lamp, directed by Maud Pell.");
  const other = chunkOf(2, "Upon winning the Merrow, Ivo Brandt became the oldest winner.");
  const query = "Which Merrow did The Lantern win?";
  const summary = summarize({ query, chunks: [film, other] });
  assert.match(summary, /^No passage that was found mentions “Merrow” with “The Lantern”\./);
  assert.doesNotMatch(summary, /Brandt/);
  const both = chunkOf(1, "The Lantern is a 1931 film. It won the Merrow of 1932.");
  assert.match(summarize({ query, chunks: [both, other] }), /^(?:The Lantern is|It won)/);
  // Another document of the same thing may have it.
  const further = chunkOf(3, "Prizes: The Lantern had the Merrow of 1932.");
  assert.match(summarize({ query, chunks: [film, further] }), /Merrow of 1932/);
  assert.match(summarize({ query: "Which Merrow did she win?", chunks: [other] }), /^Upon winning/);
});

test("A number in a year is denied where no passage about the thing has that year", () => {
  const year = /mentions “(?:1998|1995)” with “Orrin/;
  const about = (query: string, given: string) =>
    summarize({
      query,
      chunks: [{ text: given, versionId: 1, start: 0, similarity: 0.9, cosine: 0.9, fused: 0.9 }],
    });
  const sold = "The Orrin Lamp was made in 1996. The Orrin Lamp was lit in every harbour until 2001.";
  assert.match(about("How many units of the Orrin Lamp were lit in 1998?", sold), year);
  assert.match(about("How much did the Orrin Lamp earn in March 1995?", sold), year);
  for (const told of [
    `${sold} In 1998 we lit 412.`,
    `${sold} In 1997/98 we lit 412.`,
    `${sold} 412 went in ’98.`,
    `${sold} 412 were lit until 1998-08-10.`,
    `${sold} 412 were lit until 8/10/98.`,
  ])
    assert.doesNotMatch(about("How many units of the Orrin Lamp were lit in 1998?", told), year);
  for (const query of [
    "How many units of the Orrin Lamp were lit before 1998?",
    "How many units of the Orrin Lamp were lit after the harbour was sold in 1998?",
    "How many units of the Orrin Lamp were lit in 1996?",
    "Where was the Orrin Lamp lit in 1998?",
    "How many lamps were lit in 1998?",
  ])
    assert.doesNotMatch(about(query, sold), year);
  const table = "| Name | Made |\n| --- | --- |\n| Orrin Lamp | 1996 |\n| Tessel Horn | 1998 |";
  assert.match(about("How many units of the Orrin Lamp were lit in 1998?", table), year);
  assert.doesNotMatch(about("How many units of the Orrin Lamp were lit in 1996?", table), year);
  const years = "| | 1997 | 1998 |\n| --- | --- | --- |\n| Orrin Lamp | 4 | 7 |";
  assert.doesNotMatch(about("How many units of the Orrin Lamp were lit in 1998?", years), year);
});
