/** A name for a suggested ontology: what the request says it is about, otherwise its first types. */
import type { WrittenNodeType } from "../../../domain/ontology/write-schema.ts";
import { FRAMING_NOUNS } from "./framing-words.ts";
import { capitalized, wordsOf } from "./names.ts";

const SUBJECT =
  /\b(?:knowledge (?:base|graph)|graph|database|system|ontology|app(?:lication)?|platform|data|information|catalogu?e|directory|archive|wiki|schema|tool)\s{1,8}(?:about|of|on|for|covering)\s{1,8}(?:our |the |an? |my |tracking |managing )?([\p{L}-]{1,80}(?: (?!(?:and|or|that|which|who|where|with|from|in|at|to|so|we|for|of|by|is|are|as|can)\b)[\p{L}-]{1,80}){0,3})/iu;

const MAX_CHARACTERS = 80;

export function nameSuggestion(prose: string, types: readonly WrittenNodeType[]): string {
  const about = SUBJECT.exec(prose)?.[1] ?? "";
  const words = wordsOf(about);
  if (words.length > 0 && !words.every((word) => FRAMING_NOUNS.has(word)) && about.length <= MAX_CHARACTERS) {
    return capitalized(about.toLowerCase()).toWellFormed();
  }
  const names = types.slice(0, 3).map(({ name }) => wordsOf(name).join(" "));
  const last = names.pop() ?? "";
  const list = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  return capitalized(list);
}
