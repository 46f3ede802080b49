import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyAnswer } from "@kcs/sdk";
import { readAnswer, unsaidIn, unsaidStatement } from "./read-answer.ts";
import { unsaidWords } from "./unsaid-words.ts";

const sentence = "The Lantern is a 1931 film directed by Maud Pell.";

test("a second thing that the sentences do not speak of is named", () => {
  for (const [question, thing] of [
    ["What is the place of birth of the director of The Lantern?", "birth"],
    ["What is the place of birth of the director of film The Lantern?", "birth"],
    ["Who is the spouse of the director of the film The Lantern?", "spouse"],
    ["Who is the maternal grandfather of the director of The Lantern?", "grandfather"],
    ["Who directed The Lantern, and who was her husband?", "husband"],
    ["Where was the director's wife born?", "wife born"],
    ["Who directed the film The Lantern and where was that person born?", "born"],
    ["Who directed The Lantern and where was she born?", "born"],
    ["Where did the director of The Lantern die?", "die"],
    ["Where is the director of The Lantern buried?", "buried"],
    ["What is the capital of the country where The Lantern was made?", "capital"],
  ] as const)
    assert.deepEqual(unsaidWords(question, sentence), thing.split(" "), question);
});

test("an answer that says it with another verb or another form is whole", () => {
  for (const [question, answer] of [
    ["Who wrote The Lantern?", "The Lantern was written by Maud Pell."],
    ["Who taught Ada Pell?", "Ada Pell learned from Maud Thorne, a teacher of music."],
    ["Who built the old bridge?", "The old bridge is a work of Ada Pell."],
    ["Who was married to Maud Pell?", "Maud Pell and Ivo Brandt were husband and wife."],
    ["What is the bridge made of?", "The bridge is a work in stone."],
    ["When was Maud Pell born?", "Maud Pell (3 May 1901 – 9 June 1970) was a painter."],
    ["Where was the director of The Lantern born?", "Maud Pell, its director, is a native of Orrin."],
    ["What is the place of birth of Maud Pell?", "Maud Pell was born in Orrin."],
    ["What was the cause of death of Maud Pell?", "Maud Pell died of a fever."],
    ["Where did Maud Pell die?", "Maud Pell died in Orrin."],
    ["Who is the author of The Lantern?", "The Lantern was written by Maud Pell."],
    ["Who is the wife of Ivo Brandt?", "In 1920 Ivo Brandt married Maud Pell."],
    ["What is the nationality of Maud Pell?", "Maud Pell was a French painter."],
    ["Who wrote The Lord of the Tides?", "It was written by Maud Pell."],
    ["Who's Maud Pell?", "Maud Pell was a French painter."],
  ] as const)
    assert.deepEqual(unsaidWords(question, answer), [], question);
});

test("dates of a life in brackets behind a name say when somebody was born and died, with a place also where", () => {
  const where = "Where was the director of The Lantern born?";
  const [diedWhere, diedWhen, bornWhen] = [
    "Where did the director of The Lantern die?",
    "When did the director of The Lantern die?",
    "When was the director of The Lantern born?",
  ];
  const both = "Maud Pell (March 19, 1894, San Orrin – June 2, 1961, Thorne) was a director.";
  const dates = "Maud Pell (19 March 1894 – 2 June 1961) was a director.";
  const years = "Maud Pell (1894-1961) was a director.";
  const birth = "Maud Pell (May 19, 1894, San Orrin) was a director.";
  for (const [question, answer] of [
    ...[where, diedWhere, diedWhen, bornWhen].map((one) => [one, both] as const),
    ...[dates, "Maud Pell, born Maud Thorne,( March 19, 1894- June 2, 1961) was a director.", years].flatMap(
      (answer) => [diedWhen, bornWhen].map((one) => [one, answer] as const),
    ),
    ...[where, bornWhen].map((one) => [one, birth] as const),
  ])
    assert.deepEqual(unsaidWords(question, answer), [], `${question} ${answer}`);
  const released = "The Lantern of the director Maud Pell was released on 3 May 1931.";
  for (const [question, answer, thing] of [
    [where, dates, "born"],
    [diedWhere, dates, "die"],
    [diedWhere, birth, "die"],
    [diedWhen, birth, "die"],
    [diedWhen, released, "die"],
    [bornWhen, released, "born"],
    [bornWhen, "The Lantern (Orrin Pictures, 1931) is a film of the director Maud Pell.", "born"],
    ["Who directed The Lantern, and when was it that she died?", released, "died"],
  ] as const)
    assert.deepEqual(unsaidWords(question, answer), [thing], `${question} ${answer}`);
});

test("forms of a word, kinds of answers and short words are no sign", () => {
  assert.deepEqual(
    unsaidWords("In which year was The Lantern directed, and who is its director?", sentence),
    [],
  );
});

test("of questions in other languages nothing is said", () => {
  assert.deepEqual(unsaidWords("Wo wurde der Regisseur von The Lantern geboren?", sentence), []);
});

test("an answer in either mode that quotes half of what is asked is a part, one of a language model is not measured", () => {
  const question = "Who directed the film The Lantern and where was that person born?";
  const chunks = [{ chunk_id: "c", text: sentence, similarity: 0.6 }];
  const unsaid = (strategy: string, isComplete = true) => {
    const results = { ...emptyAnswer.results, summary: sentence, chunks };
    const result = { ...emptyAnswer, results, strategy_used: strategy };
    return unsaidIn({ result, isComplete }, readAnswer(result, question), question);
  };
  assert.deepEqual(unsaid("hybrid_graph"), ["born"]);
  assert.deepEqual(unsaid("hybrid"), ["born"], "a question without a name that a document is about");
  assert.deepEqual(unsaid("dynamic_builtin_multi_hop"), ["born"]);
  assert.deepEqual(unsaid("dynamic_builtin_multi_hop", false), []);
  assert.deepEqual(unsaid("dynamic_multi_hop"), []);
});

test("what one search quotes of somebody else does not say what is asked", () => {
  const question = "Where did Maud Pell die?";
  const [own, other] = ["Maud Pell was a director of films.", "Ivo Brandt died in Thorne."];
  const chunks = [own, other].map((text, at) => ({ chunk_id: `${at}`, text, similarity: 0.6 }));
  const unsaid = (strategy: string) => {
    const results = { ...emptyAnswer.results, summary: `${own}\n\n${other}`, chunks };
    const result = { ...emptyAnswer, results, strategy_used: strategy };
    return unsaidIn({ result, isComplete: true }, readAnswer(result, question), question);
  };
  assert.deepEqual(unsaid("hybrid"), ["die"]);
  // Step by step the passage of another one may be what the names lead to.
  assert.deepEqual(unsaid("dynamic_builtin_multi_hop"), []);
});

test("what no passage mentions is told from what only the quoted sentences lack, and from what is said of others", () => {
  const chunks = [
    { text: "The Lantern is a film." },
    { text: "Ivo Brandt died in Thorne." },
    { text: "He was born in Orrin." },
  ];
  const say = (things: readonly string[], question: string, quoted = "") =>
    unsaidStatement(things, question, { chunks, quoted });
  assert.equal(
    say(["married"], "Who was the director married to?"),
    "No passage that was found mentions “married”.",
  );
  const of = "Where was Ivo Brandt born?";
  assert.equal(say(["born"], of), "No passage that was found mentions the place of birth with “Ivo Brandt”.");
  assert.equal(
    say(["birth", "death"], "What is known of the death of Ivo Brandt?"),
    "The quoted sentences do not mention “birth” or “death”. Passage 2 does.",
  );
  assert.equal(
    say(["born"], "Where was the director born?"),
    "The quoted sentences do not mention the place of birth. Passage 3 does.",
  );
  assert.equal(
    say(["death"], "What is known of the death of Ivo Brandt?", "Maud Pell died in Thorne."),
    "The quoted sentences about “Ivo Brandt” do not mention “death”. Passage 2 does.",
  );
});

test("what is asked of somebody by another name is said where a passage about that name names him", () => {
  const passages = [
    "The Red Mill was directed by Gil Vance and written by Ivo Brandt.",
    "Vance was born in Orrin.",
    "Maud Pell was born in Thorne.",
    "# Ivo Brandt\n\nA writer of plays. He was born in Calder.",
  ];
  const chunks = passages.map((text, at) => ({ chunk_id: `${at}`, text, similarity: 0.6 }));
  const unsaid = (question: string, quoted: readonly number[]) => {
    const summary = quoted.map((at) => passages[at]?.split(". ").at(-1)).join("\n\n");
    const results = { ...emptyAnswer.results, summary, chunks };
    const result = { ...emptyAnswer, results, strategy_used: "hybrid" };
    return unsaidIn({ result, isComplete: true }, readAnswer(result, question), question);
  };
  assert.deepEqual(unsaid("Where was the director of The Red Mill born?", [0, 1]), []);
  assert.deepEqual(unsaid("Where was The Red Mill's director born?", [0, 1]), []);
  assert.deepEqual(unsaid("Where was the director of The Red Mill born?", [0, 2]), ["born"]);
  assert.deepEqual(unsaid("Where was the writer of The Red Mill born?", [0, 3]), []);
  const told = (question: string) =>
    unsaidStatement(["born"], question, { chunks: chunks.slice(1), quoted: "" });
  assert.match(told("Where was the director of The Vance After born?"), /Passage 1 does/);
  assert.deepEqual(unsaid("Where was Gil Vance born?", [0, 2]), ["born"]);
});

test("a date in brackets does not say where somebody was born", () => {
  const where = "Where was Maud Pell born?";
  const chunks = [{ text: "Maud Pell (born 3 May 1901) is a Danish director." }];
  assert.match(
    unsaidStatement(["born"], where, { chunks, quoted: "" }),
    /^No passage .* mentions the place of birth/,
  );
  assert.deepEqual(unsaidWords(where, "Maud Pell (born 3 May 1901) is a Danish director."), ["born"]);
  assert.deepEqual(unsaidWords(where, "Maud Pell (born 3 May 1901, Orrin) is a director."), []);
  assert.deepEqual(unsaidWords("When was Maud Pell born?", "Maud Pell (born 3 May 1901) is a director."), []);
});

test("a date outside brackets does not say where somebody was born, and a name at birth is no place", () => {
  const where = "Where was Maud Pell born?";
  for (const answer of [
    "Maud Pell was born on 3 May 1901 and died on 9 June 1970.",
    "Maud Pell, born in 1901, was a director.",
    "Maud Pell was born May 3, 1901. She made films.",
    "Maud Pell (born Maud Thorne; 3 May 1901) is a director.",
  ])
    assert.deepEqual(unsaidWords(where, answer), ["born"], answer);
  for (const answer of [
    "Maud Pell was born on 3 May 1901 in Orrin.",
    "Maud Pell was born May 3, 1901, Orrin.",
    "Maud Pell was born in Orrin on 3 May 1901.",
    "Maud Pell was born in 1901, in Orrin.",
  ])
    assert.deepEqual(unsaidWords(where, answer), [], answer);
  assert.deepEqual(unsaidWords("When was Maud Pell born?", "Maud Pell was born on 3 May 1901."), []);
  assert.deepEqual(unsaidWords("Where did Maud Pell die?", "Maud Pell was born in Orrin and died in 1970."), [
    "die",
  ]);
});

test("another year than the one that is asked for is told", () => {
  for (const [question, answer, things] of [
    ["Who directed The Lantern in 1931?", "The Lantern is a 1954 film directed by Maud Pell.", ["1931"]],
    ["Who directed The Lantern in 1931?", sentence, []],
    ["Who directed The Lantern in 1931?", "The Lantern was directed by Maud Pell.", []],
    ["Who led the mill in 2016?", "Maud Pell has led the mill since March 2014.", []],
    ["Who led the mill in 2016?", "Maud Pell led the mill (2014–2018).", []],
    ["Who led the mill in 2016?", "Maud Pell has led the mill since 2021.", ["2016"]],
  ] as const)
    assert.deepEqual(unsaidWords(question, answer), things, `${question} ${answer}`);
});

test("of a whole title, a passage that shares its last word does not lead to somebody else", () => {
  const chunks = [
    { text: "The Keeper of Orrin Lake was directed by Gil Vance." },
    { text: "The Red Lake was directed by Maud Pell." },
    { text: "Maud Pell was born in Thorne." },
  ];
  assert.equal(
    unsaidStatement(["born"], "Where was the director of The Keeper of Orrin Lake born?", {
      chunks,
      quoted: "",
    }),
    "No passage that was found mentions the place of birth with “The Keeper of Orrin Lake”.",
  );
  assert.equal(
    unsaidStatement(["1931"], "Who directed The Red Lake in 1931?", {
      chunks: [...chunks, { text: "It rained in 1931." }],
      quoted: "",
    }),
    "No passage that was found mentions “1931” with “The Red Lake”.",
  );
  const own = [...chunks, { text: "Gil Vance was born in Calder." }];
  assert.match(
    unsaidStatement(["born"], "Where was the director of The Keeper of Orrin Lake born?", {
      chunks: own,
      quoted: "",
    }),
    /Passage 4 does/,
  );
});
