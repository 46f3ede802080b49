/** The built-in suggester: an ontology read out of the description of a use case, without a language model. */
import { writeSchema } from "../../../domain/ontology/write-schema.ts";
import type { SuggesterOutcome } from "../../../ports/suggester.ts";
import { sentences } from "../../text/sentences.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { assemble, type SuggestedTypes } from "./assemble.ts";
import { createDraft } from "./draft.ts";
import { FRAMING_NOUNS } from "./framing-words.ts";
import { readSamples } from "./json-samples.ts";
import { type Layout, readLayout } from "./layout.ts";
import { propertiesOf, readEdgeItem, readTypeItem } from "./list-items.ts";
import { nameSuggestion } from "./name-suggestion.ts";
import { wordsOf } from "./names.ts";
import { readSentence } from "./read-prose.ts";
import type { TagWords } from "./tagged-word.ts";
import { singular } from "./word-forms.ts";

/** A use case is read so far; what follows is a pasted text. */
const MAX_UNITS = 64 * 1024;
const MAX_SENTENCES = 600;
/** Longer ones are tables or code: only their beginning is read. */
const MAX_SENTENCE_UNITS = 1_000;

const NOTHING =
  'no kinds of things were found in the description. Name them and say how they are related, for example: "Authors write books. A book has a title."';
const NOT_ENGLISH =
  "without a language model only English is read. Describe the use case in English, or configure a language model";

/**
 * Node types from nouns and lists, edge types from verbs, properties from what things are said to have, levels from
 * what groups others. Deterministic; some 0.2 ms a sentence, at most 600 sentences of the first 64 K code units are read. The schema always holds
 * (`describeOntologyFaults` finds nothing).
 */
export function suggestOntology(useCase: string, tag: TagWords): SuggesterOutcome {
  const text = useCase.slice(0, MAX_UNITS);
  const layout = readLayout(text);
  const hasLists = layout.typeItems.length + layout.edgeItems.length + layout.samples.length > 0;
  if (!hasLists && !isEnglish(text)) return { kind: "nothing", reason: NOT_ENGLISH };
  const read = readTypes(layout, tag);
  const found = read.nodeTypes.length > 0 ? read : readNames(text);
  if (found.nodeTypes.length === 0) return { kind: "nothing", reason: NOTHING };
  const name = nameSuggestion(layout.prose.join("\n"), found.nodeTypes);
  return { kind: "suggestion", suggestion: { name, schemaJson: writeSchema(found) } };
}

/** Verbs in several words whose noun names nothing. */
const TRACKING = /\bkeep (?:track|a record|records|an eye|an overview) (?:of|on)\b/gi;

const MAX_NAME_WORDS = 4;
const MAX_NAMED_UNITS = 2_000;

/** Nothing but names, in whatever grammar: "locks; keys". */
function readNames(text: string): SuggestedTypes {
  const draft = createDraft();
  if (text.length > MAX_NAMED_UNITS) return assemble(draft);
  for (const part of text.split(/[,;.\n]|\s(?:and|or|&)\s/)) {
    const words = wordsOf(part).filter((word) => !ENGLISH_STOP_WORDS.has(word));
    const last = singular(words.at(-1) ?? "");
    const isName = words.length > 0 && words.length <= MAX_NAME_WORDS && /^\p{L}/u.test(last);
    if (isName && !FRAMING_NOUNS.has(last)) draft.mention(words.join(" "), "listed", part);
  }
  return assemble(draft);
}

function readTypes(layout: Layout, tag: TagWords): SuggestedTypes {
  const draft = createDraft();
  const prose: string[] = [...layout.prose];
  for (const item of layout.typeItems) {
    const rest = readTypeItem(item, draft);
    if (rest !== null)
      prose.push(
        `A ${rest.type} ${/^\p{Lu}|^(?:an?|the)\b/u.test(rest.sentence) ? "is" : ""} ${rest.sentence}`,
      );
  }
  for (const item of layout.edgeItems) if (!readEdgeItem(item, draft)) prose.push(item);
  for (const { owner, text } of layout.propertyItems) {
    const type = owner === null ? "" : draft.mention(owner.replace(/[(:].*$/s, ""), "listed");
    for (const property of propertiesOf(text, true) ?? []) draft.addProperty(type, property);
  }
  readSamples(layout.samples, draft);
  let left = MAX_SENTENCES;
  for (const paragraph of prose) {
    for (const span of sentences(paragraph)) {
      if (left-- <= 0) return assemble(draft);
      const sentence = paragraph
        .slice(span.start, Math.min(span.end, span.start + MAX_SENTENCE_UNITS))
        .replace(TRACKING, "track");
      readSentence(sentence, tag(sentence, { start: 0, end: sentence.length }), draft);
    }
  }
  return assemble(draft);
}

const FEWEST_WORDS = 12;
const ENGLISH_SHARE = 0.12;

/** By its function words; a text of a few words may have none. */
function isEnglish(text: string): boolean {
  const words = wordsOf(text.slice(0, 8_000));
  const latin = words.filter((word) => /^[a-z0-9]+$/.test(word)).length;
  if (latin < words.length / 2) return false;
  if (words.length < FEWEST_WORDS) return true;
  return words.filter((word) => ENGLISH_STOP_WORDS.has(word)).length >= ENGLISH_SHARE * words.length;
}
