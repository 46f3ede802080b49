/** Gives relations the time that their sentence states: "from 1990 to 1995", "since 2001", "on 12 May 2021". */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { normalizeDate } from "../../../text/dates.ts";
import type { Passage, PassageSentence } from "./passage.ts";
import type { JoinedRelation } from "./relation-facts.ts";

const starts = new Set(["from", "since", "in", "on", "between", "starting"]);
const ends = new Set(["to", "until", "till", "through", "and", "-", "–", "—"]);

export interface TimedRelation extends JoinedRelation {
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

const untimed = { validFrom: null, validTo: null };

/** Only of edge types that have a time, where a sentence states one of these alone: whose time it is would else be a guess. */
export function withStatedTimes(
  relations: readonly JoinedRelation[],
  { schema, passage }: { readonly schema: OntologySchema; readonly passage: Passage },
): readonly TimedRelation[] {
  const temporal = new Set(schema.edgeTypes.filter((edge) => edge.temporal).map(({ name }) => name));
  const timed = Map.groupBy(
    relations.filter(({ type }) => temporal.has(type)),
    ({ sentence }) => sentence,
  );
  return relations.map((relation) => {
    const sentence = passage.sentences[relation.sentence];
    const isAlone = timed.get(relation.sentence)?.length === 1;
    const isTimed = temporal.has(relation.type) && isAlone && sentence !== undefined;
    return { ...relation, ...(isTimed ? timesOf(sentence, passage) : untimed) };
  });
}

function timesOf(sentence: PassageSentence, passage: Passage) {
  let validFrom: string | null = null;
  let validTo: string | null = null;
  const dates = sentence.mentions.filter(({ kind, variantOf }) => kind === "date" && variantOf === null);
  for (const date of dates) {
    const before = sentence.tokens[date.from - 1]?.lower ?? "";
    const value = normalizeDate(passage.textOf(date));
    const isEnd = before === "until" || before === "till" || (validFrom !== null && ends.has(before));
    if (isEnd) validTo ??= value;
    else if (starts.has(before)) validFrom ??= value;
  }
  const isForward = validFrom === null || validTo === null || validFrom <= validTo;
  return isForward ? { validFrom, validTo } : untimed;
}
