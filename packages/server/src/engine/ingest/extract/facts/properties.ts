/** Reads the values of declared properties where the text states them plainly. */

import type { PropertyMention } from "../../../../domain/graph.ts";
import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { normalizeDate } from "../../../text/dates.ts";
import { wordsOfName } from "../relations/word-forms.ts";
import type { Opening } from "./back-references.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { Passage } from "./passage.ts";
import {
  createPropertyStem,
  type PropertyProfile,
  type PropertyProfiles,
  profileProperties,
  type StatedValue,
  stemsOf,
  tellingWords,
} from "./property-names.ts";
import { readSentenceProperties } from "./sentence-properties.ts";

export interface PropertyInput {
  readonly passage: Passage;
  readonly entities: readonly FoundEntity[];
  /** One for each sentence. */
  readonly openings: readonly (Opening | null)[];
  readonly documentSubject: FoundEntity | null;
}

const MAX_VALUE_UNITS = 120;
const MAX_PROPERTIES = 64;
/** "2. Project Heron", "## Project Heron". */
const MARKS_BESIDE_NAME = 3;
/** "Date of birth: 4 May 1951", also as a row of a table or an item of a list. */
const KEY_LINE =
  /^[ \t]{0,40}(?:[-*•–|]\s{0,8})?(\p{L}[\p{L}\p{M} _/-]{0,40}?)[*_]{0,2}[ \t]{0,8}[:=|][*_]{0,2}[ \t]{0,8}(\S.{0,200})/gmu;
/** "(price: 20 EUR, weight: 3 kg)" */
const KEY_ASIDE = /(?<=[(,;]\s?)(\p{L}[\p{L} _-]{1,30}?): ?([^,;:()\n]{1,60})(?=[,;)])/gu;

/** Values that contradict each other are all there: which holds is not for one chunk to say. */
export function createPropertyReader(
  schema: OntologySchema,
): (input: PropertyInput) => readonly PropertyMention[] {
  const stem = createPropertyStem();
  const profiles = profileProperties(schema, stem);
  const isNamed = (profile: PropertyProfile, key: string) => {
    const stems = stemsOf(tellingWords(wordsOfName(key).split(" "), profile.kind), stem).join(" ");
    return profile.forms.some((form) => form.join(" ") === stems);
  };
  return (input) => {
    if (profiles.isEmpty) return [];
    const stated = [
      ...readKeyValues(input, { profiles, isNamed }),
      ...input.passage.sentences.flatMap((sentence) =>
        readSentenceProperties(sentence, { ...input, profiles, stem }),
      ),
    ];
    const seen = new Set<string>();
    return stated.slice(0, MAX_PROPERTIES).flatMap(({ profile, entity, start, end }) => {
      const value = readValue(profile, input.passage.textOf({ start, end }));
      const id = `${entity.type}\n${entity.key}\n${profile.name}\n${value}`;
      if (value === null || seen.has(id)) return [];
      seen.add(id);
      return [{ entity: { type: entity.type, key: entity.key }, property: profile.name, value, start, end }];
    });
  };
}

/** null for what cannot be a value of the property. */
function readValue({ kind }: PropertyProfile, written: string): string | null {
  const value = written
    .replace(/\s+/g, " ")
    .replace(/^["“]|[.,;"”]$/g, "")
    .trim();
  if (value === "" || value.length > MAX_VALUE_UNITS) return null;
  if (kind === "number") return /\d/.test(value) ? value : null;
  const date = normalizeDate(value);
  return date ?? (kind === "text" || /\d/.test(value) ? value : null);
}

interface Keys {
  readonly profiles: PropertyProfiles;
  readonly isNamed: (profile: PropertyProfile, key: string) => boolean;
}

function readKeyValues(input: PropertyInput, { profiles, isNamed }: Keys): readonly StatedValue[] {
  const { passage } = input;
  const text = passage.textOf(passage);
  const found: StatedValue[] = [];
  for (const pattern of [KEY_LINE, KEY_ASIDE]) {
    for (const match of text.matchAll(pattern)) {
      const [whole, key = "", rest = ""] = match;
      const value = rest.trimEnd().replace(/\|$/, "").trimEnd();
      const at = passage.start + match.index;
      const profileOf = ({ type }: FoundEntity) => profiles.of(type).find((one) => isNamed(one, key));
      const entity = ownerAbove(input, at, (one) => profileOf(one) !== undefined);
      const profile = entity === null ? undefined : profileOf(entity);
      if (entity === null || profile === undefined) continue;
      const start = at + whole.lastIndexOf(value);
      found.push({ profile, entity, start, end: start + value.length });
    }
  }
  return found;
}

/**
 * Whose value follows: the name that stands alone on the last line that is one, else the document's subject, else the name that
 * opens the last line that a name opens. Where that is nothing that has the property, nobody has it.
 */
function ownerAbove(
  { entities, documentSubject, passage }: PropertyInput,
  at: number,
  fits: (entity: FoundEntity) => boolean,
): FoundEntity | null {
  const above = entities.filter(({ end }) => end <= at);
  const isAlone = ({ sentence, from, to }: FoundEntity) =>
    (passage.sentences[sentence]?.tokens.length ?? 0) - (to - from) <= MARKS_BESIDE_NAME;
  const alone = above.findLast(isAlone);
  if (alone !== undefined) return fits(alone) ? alone : null;
  if (documentSubject !== null && fits(documentSubject)) return documentSubject;
  const opening = above.findLast(({ from }) => from <= 1);
  return opening !== undefined && fits(opening) ? opening : null;
}
