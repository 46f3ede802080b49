/** Generates English-like documents from a seed, with different words, lengths and forms. */
import type { Random } from "./random.ts";
import { actions, events, materials, months, people, places, qualities, things, units } from "./words.ts";

const templates: readonly ((random: Random) => string)[] = [
  (r) =>
    `The ${r.pick(things)} at ${r.pick(places)} was ${r.pick(actions)} in ${year(r)} by ${r.pick(people)}.`,
  (r) =>
    `In ${r.pick(months)} ${year(r)}, ${r.pick(people)} ${r.pick(actions)} the ${r.pick(qualities)} ${r.pick(things)}.`,
  (r) =>
    `It is made of ${r.pick(materials)} and ${r.pick(materials)}, and stands ${amount(r)} from the ${r.pick(things)}.`,
  (r) =>
    `After ${r.pick(events)}, the council of ${r.pick(places)} ${r.pick(actions)} it for ${r.integer(2, 900)} crowns.`,
  (r) =>
    `Nobody knows why the ${r.pick(things)} is so ${r.pick(qualities)}; ${r.pick(people)} blamed ${r.pick(events)}.`,
  (r) =>
    `A ${r.pick(qualities)} ${r.pick(things)} needs about ${amount(r)} of ${r.pick(materials)} every year.`,
  (r) =>
    `${r.pick(people)} wrote: "The ${r.pick(things)} was ${r.pick(actions)} twice, and twice it was ${r.pick(qualities)}."`,
  (r) =>
    `Before ${year(r)} the road from ${r.pick(places)} to ${r.pick(places)} passed the ${r.pick(things)}.`,
  (r) =>
    `The record of ${r.integer(1, 28)} ${r.pick(months)} ${year(r)} lists ${amount(r)}, ${amount(r)} and a ${r.pick(things)}.`,
  (r) =>
    `Visitors call it ${r.pick(qualities)}, but ${r.pick(people)} prefers the ${r.pick(things)} of ${r.pick(places)}.`,
  (r) =>
    `During ${r.pick(events)} the ${r.pick(things)} was closed for ${r.integer(2, 40)} weeks (see table ${r.integer(1, 60)}).`,
  (r) =>
    `Its ${r.pick(materials)} roof weighs ${amount(r)}; the old one, of ${r.pick(materials)}, weighed less.`,
  (r) =>
    `Why was the ${r.pick(things)} ${r.pick(actions)}? Because of ${r.pick(events)}, says ${r.pick(people)}.`,
  (r) =>
    `${r.pick(places)} has ${r.integer(2, 19)} of them, ${r.pick(places)} only one, and that one is ${r.pick(qualities)}.`,
];

/** Features of real texts: no spaces, other scripts, other line endings, a NUL. */
const oddities: readonly ((random: Random) => string)[] = [
  (r) => "x".repeat(r.integer(200, 3000)),
  () => "港の灯台は一八七一年に初めて点灯した。毎晩、船はその光を頼りに帰ってくる。",
  (r) => `Маяк построен в ${year(r)} году из гранита. Он стоит на мысе.`,
  () => "line one\r\nline two\r\n\r\nline four",
  (r) => `|site|height|\n|---|---|\n|${r.pick(places)}|${amount(r)}|`,
  () => "before\0after, with 🚢🚢🚢 and e\u0301 and \u200f",
  (r) =>
    Array.from({ length: r.integer(3, 30) }, () => `- ${r.pick(qualities)} ${r.pick(things)}`).join("\n"),
];

export function writeSentence(random: Random): string {
  return random.pick(templates)(random);
}

/** About `sentences` sentences in paragraphs, often with a title and headings, rarely with an oddity. */
export function writeDocument(random: Random, sentences: number): string {
  const parts: string[] = [];
  if (random.chance(0.7)) parts.push(`# The ${random.pick(things)} of ${random.pick(places)}`);
  for (let left = sentences; left > 0; ) {
    const length = Math.min(left, random.integer(1, 9));
    if (random.chance(0.2)) parts.push(`## ${random.pick(people)} and the ${random.pick(things)}`);
    parts.push(Array.from({ length }, () => writeSentence(random)).join(" "));
    if (random.chance(0.03)) parts.push(random.pick(oddities)(random));
    left -= length;
  }
  return parts.join("\n\n");
}

export type Change = "identical" | "edited" | "shorter" | "longer" | "rewritten";

/** A version of the text with the given kind of change; never blank. */
export function changeText(random: Random, text: string, change: Change): string {
  const paragraphs = text.split("\n\n");
  switch (change) {
    case "identical":
      return text;
    case "edited":
      paragraphs[random.integer(0, paragraphs.length - 1)] = writeSentence(random);
      return paragraphs.join("\n\n");
    case "shorter":
      return paragraphs.slice(0, random.integer(1, paragraphs.length)).join("\n\n");
    case "longer":
      return `${text}\n\n${writeDocument(random, random.integer(1, 40))}`;
    case "rewritten":
      return writeDocument(random, random.integer(1, 40));
  }
}

/** A question with the vocabulary of the documents. */
export function writeQuestion(random: Random): string {
  return random.pick([
    `When was the ${random.pick(things)} at ${random.pick(places)} ${random.pick(actions)}?`,
    `Who ${random.pick(actions)} the ${random.pick(qualities)} ${random.pick(things)}?`,
    `What did ${random.pick(people)} say about ${random.pick(events)}?`,
    `${random.pick(materials)} ${random.pick(things)} ${random.pick(places)}`,
    `How much ${random.pick(materials)} does a ${random.pick(things)} need?`,
    `Why is the ${random.pick(things)} ${random.pick(qualities)}, and what happened in ${year(random)}?`,
  ]);
}

function year(random: Random): number {
  return random.integer(1640, 1990);
}

function amount(random: Random): string {
  return `${random.integer(2, 980)} ${random.pick(units)}`;
}
