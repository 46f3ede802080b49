/** The built-in suggester: an ontology read out of the description of a use case, without a language model. */
import { writeSchema } from "../../../domain/ontology/write-schema.ts";
import type { SuggesterOutcome } from "../../../ports/suggester.ts";
import { sentences } from "../../text/sentences.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { assemble, type SuggestedTypes } from "./assemble.ts";
import { createDraft } from "./draft.ts";
import { FRAMING_NOUNS } from "./framing-words.ts";
import { readSamples } from "./json-samples.ts";
import { type Layout, type Prose, readLayout } from "./layout.ts";
import { propertiesOf, readEdgeItem, readTypeItem } from "./list-items.ts";
import { nameSuggestion } from "./name-suggestion.ts";
import { wordsOf } from "./names.ts";
import { readProse } from "./read-prose.ts";
import { type Segment, segmentsOf } from "./segments.ts";
import type { TagWords } from "./tagged-word.ts";
import { languageOf } from "./use-case-language.ts";
import { singular } from "./word-forms.ts";

/** A use case is read so far; what follows is a pasted text. */
const MAX_UNITS = 64 * 1024;
const MAX_SENTENCES = 600;
/** Longer ones are tables or code: only their beginning is read. */
const MAX_SENTENCE_UNITS = 1_000;

const NOTHING =
  'no kinds of things were found in the description. Name them and say how they are related, for example: "Authors write books. A book has a title."';
const READ_IN_PART = `The description is long: its first ${MAX_UNITS} characters and ${MAX_SENTENCES} sentences were read.`;
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
  const language = hasLists ? "english" : languageOf(text);
  if (language === "other") return { kind: "nothing", reason: NOT_ENGLISH };
  const { isWhole, ...read } = readTypes(layout, tag);
  const nothing = (reason: string): SuggesterOutcome => ({
    kind: "nothing",
    reason: isWhole && text.length === useCase.length ? reason : `${reason} ${READ_IN_PART}`,
  });
  // Prose of some length that names nothing is no list either.
  const mayBeNames =
    (language === "list" && read.edgeTypes.length === 0) ||
    (read.nodeTypes.length === 0 && text.length <= MAX_NAMED_UNITS);
  const named = mayBeNames ? readNames(text) : read;
  const found = named.nodeTypes.length > read.nodeTypes.length ? named : read;
  if (found.nodeTypes.length === 0) return nothing(NOTHING);
  if (found === read && language === "english" && !hasLists && read.edgeTypes.length === 0)
    return nothing(unrelated(read.nodeTypes.map(({ name }) => name)));
  const name = nameSuggestion(layout.prose.map(({ text }) => text).join("\n"), found.nodeTypes);
  return { kind: "suggestion", suggestion: { name, schemaJson: writeSchema(found) } };
}

const MAX_NAMED_TYPES = 5;

function unrelated(types: readonly string[]): string {
  const some = types.slice(0, MAX_NAMED_TYPES).join(", ");
  return `no relationships were found between the kinds of things in the description (${some}). Say how they are related, for example: "Authors write books."`;
}

const MANY = /\b(?:a (?:lot|couple|range|variety|bunch|handful)|lots|plenty|dozens|hundreds) of\b/gi;

const NO_TYPES: SuggestedTypes = { nodeTypes: [], edgeTypes: [] };
const MAX_NAME_WORDS = 4;
const MAX_NAMED_UNITS = 2_000;

/** Nothing but names, in whatever grammar: "locks; keys". Of a long text the beginning, up to a whole name. */
function readNames(text: string): SuggestedTypes {
  const draft = createDraft();
  const all = text.slice(0, MAX_NAMED_UNITS).split(/[,;.\n]|\s(?:and|or|&)\s/);
  const parts = (text.length > MAX_NAMED_UNITS ? all.slice(0, -1) : all).filter((part) => /\S/.test(part));
  for (const part of parts) {
    const words = wordsOf(part.replace(/^\s{0,8}(?:and|or|an?|the)\s/i, ""));
    const last = singular(words.at(-1) ?? "");
    // A sentence, an address, code: then nothing here is a list of names.
    if (/[^\p{L}\p{M}\p{N}\s'’*•-]/u.test(part) || words.some((word) => ENGLISH_STOP_WORDS.has(word)))
      return NO_TYPES;
    const isName = words.length > 0 && words.length <= MAX_NAME_WORDS && /^\p{L}/u.test(last);
    if (isName && !FRAMING_NOUNS.has(last)) draft.mention(words.join(" "), "listed", part);
  }
  return parts.length > 1 ? assemble(draft) : NO_TYPES;
}

function readTypes(layout: Layout, tag: TagWords): SuggestedTypes & { readonly isWhole: boolean } {
  const draft = createDraft();
  const prose: Prose[] = [...layout.prose];
  for (const item of layout.typeItems) {
    const rest = readTypeItem(item, draft);
    const verb = rest !== null && /^\p{Lu}|^(?:an?|the)\b/u.test(rest.sentence) ? "is" : "";
    if (rest !== null) prose.push({ text: `A ${rest.type} ${verb} ${rest.sentence}`, isItem: false });
  }
  for (const text of layout.edgeItems)
    if (!readEdgeItem(text, draft)) prose.push({ text: text.replace(/ → /g, ": "), isItem: false });
  for (const { owner, text } of layout.propertyItems) {
    const type = owner === null ? "" : draft.mention(owner.replace(/[(:][\s\S]*/, ""), "attached");
    for (const property of propertiesOf(text, true) ?? []) draft.addProperty(type, property);
  }
  readSamples(layout.samples, draft);
  const segments = prose.flatMap(sentencesOf);
  readProse(segments.slice(0, MAX_SENTENCES), tag, draft);
  return { ...assemble(draft), isWhole: segments.length <= MAX_SENTENCES };
}

function sentencesOf({ text, isItem }: Prose): readonly Segment[] {
  const whole = text.replace(MANY, "many").replace(/\b(no|nos)\.(?=[\s,;)]|$)/gi, "number");
  return [...sentences(whole)].flatMap(({ start, end }) =>
    segmentsOf(whole.slice(start, Math.min(end, start + MAX_SENTENCE_UNITS)), isItem),
  );
}
