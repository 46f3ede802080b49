/**
 * What the model server says to the prompts of LightRAG 1.5.7 and nano-graphrag 0.0.8.2: at once, by a rule, in the format
 * that each prompt asks for.
 */
import { namePassage, namesIn } from "./names.ts";

const MOST_KEYWORDS = 8;

interface Prompt {
  readonly isMeant: (text: string) => boolean;
  readonly reply: (text: string) => string;
}

const LIGHTRAG = { field: "<|#|>", end: "<|COMPLETE|>" };
const NANO = { field: "<|>", record: "##", end: "<|COMPLETE|>" };

/** In this order: what asks for more of the last reply comes with the first prompt before it. */
const prompts: readonly Prompt[] = [
  {
    isMeant: (text) => /missed or incorrectly formatted|MANY entities were missed/.test(text),
    reply: () => LIGHTRAG.end,
  },
  { isMeant: (text) => text.includes("some entities may have still been missed"), reply: () => "NO" },
  {
    isMeant: (text) => text.includes("---Input Text---"),
    reply: (text) => extractForLightRag(between(text, "---Input Text---\n```\n", "\n```\n\n---Output---")),
  },
  {
    isMeant: (text) => text.includes("relationship_strength"),
    reply: (text) => extractForNano(between(text, "\nText: ", "\n######################\nOutput:")),
  },
  {
    isMeant: (text) => text.includes("low_level_keywords"),
    reply: (text) => keywordsOf(between(text, "User Query: ", "\n\n---Output---")),
  },
  { isMeant: (text) => text.includes("rating_explanation"), reply: reportCommunity },
];

/** The messages of a request, joined by line breaks. `last` decides what is asked; `all` has the system's message, too. */
export function replyTo({ last, all }: { readonly last: string; readonly all: string }): string {
  const asked = prompts.find(({ isMeant }) => isMeant(last)) ?? prompts.find(({ isMeant }) => isMeant(all));
  return asked?.reply(all) ?? "Several passages name it.";
}

/** The text after the last `start`, to the `end` that follows. */
function between(text: string, start: string, end: string): string {
  const begun = text.slice(Math.max(0, text.lastIndexOf(start)) + start.length);
  return begun.slice(0, Math.max(0, begun.lastIndexOf(end)) || undefined);
}

function extractForLightRag(text: string): string {
  const { title, names, begin } = namePassage(text);
  const rows = [
    ["entity", title, "Concept", begin || title],
    ...names.map((name) => ["entity", name, "Other", `${name} is named with ${title}.`]),
    ...names.map((name) => ["relation", title, name, "names", `The passage on ${title} names ${name}.`]),
  ];
  return [...rows.map((row) => row.join(LIGHTRAG.field)), LIGHTRAG.end].join("\n");
}

function extractForNano(text: string): string {
  const { title, names, begin } = namePassage(text);
  const record = (...fields: readonly string[]) =>
    `(${fields.map((field, at) => (at === fields.length - 1 && /^\d$/.test(field) ? field : `"${field}"`)).join(NANO.field)})`;
  const records = [
    record("entity", title, "event", begin || title),
    ...names.map((name) => record("entity", name, "person", `${name} is named with ${title}.`)),
    ...names.map((name) =>
      record("relationship", title, name, `The passage on ${title} names ${name}.`, "5"),
    ),
  ];
  return records.join(NANO.record) + NANO.end;
}

/** Names are the low level, long words the high one. */
function keywordsOf(question: string): string {
  const names = namesIn(question, MOST_KEYWORDS);
  const rest = names.reduce((text, name) => text.replace(name, " "), question);
  const words = rest.match(/\p{Ll}{5,}/gu) ?? [];
  return JSON.stringify({
    high_level_keywords: words.length > 0 ? words.slice(0, MOST_KEYWORDS / 2) : [question],
    low_level_keywords: names.length > 0 ? names : [question],
  });
}

function reportCommunity(): string {
  const finding = { summary: "Named together", explanation: "Passages name them together." };
  return JSON.stringify({
    title: "Names",
    summary: "Names that passages share.",
    rating: 5,
    rating_explanation: "Of middling weight.",
    findings: [finding],
  });
}
