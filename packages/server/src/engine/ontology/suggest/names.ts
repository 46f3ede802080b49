/** Names in the house style: types in PascalCase, relationships in UPPER_SNAKE_CASE, properties in snake_case. */
import { singular } from "./word-forms.ts";

const MAX_WORDS = 5;
const MAX_CHARACTERS = 60;

/** Letters and digits of a phrase in small letters; camel case and underscores divide words. */
export function wordsOf(phrase: string): readonly string[] {
  return phrase
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/['’]s?(?=\s|$)/gu, "")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** The name of a node type: its last word in the singular. "" where the phrase has no word. */
export function typeName(phrase: string): string {
  const words = wordsOf(phrase).slice(-MAX_WORDS);
  const last = words.at(-1);
  if (last === undefined) return "";
  const named = [...words.slice(0, -1), singular(last)].map(capitalized).join("");
  return named.slice(0, MAX_CHARACTERS).toWellFormed();
}

export function edgeName(phrase: string): string {
  return joined(phrase, "_").toUpperCase();
}

export function propertyName(phrase: string): string {
  return joined(phrase, "_");
}

/** An acronym stays one: "API", "DNA". */
export function capitalized(word: string): string {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length);
}

function joined(phrase: string, separator: string): string {
  return wordsOf(phrase).slice(0, MAX_WORDS).join(separator).slice(0, MAX_CHARACTERS).toWellFormed();
}
