/** Reads the fields of records as relationships of an ontology: the key says what the value is, and of what. */

import type { Span } from "../../../../domain/graph.ts";
import { checkFact, type EdgeType, type OntologySchema } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { headOf, readableName, singular } from "../../../text/type-names.ts";
import { type FoundEntity, nameAt } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import type { JoinedRelation } from "../facts/relation-facts.ts";
import { type EdgeProfile, profileEdges } from "../relations/edge-profile.ts";
import { createTriggerStem, isContentWord, type Stem, wordsOfName } from "../relations/word-forms.ts";
import { weighTypeWords } from "../types/type-words.ts";
import type { Embed } from "../vectors.ts";
import { dot } from "../vectors.ts";
import { readFieldNames } from "./field-names.ts";
import { findRecords, type RecordField, type TextRecord } from "./find-records.ts";
import { timesOfRecord } from "./record-times.ts";

/** Of what a key says in so many words. */
const CONFIDENCE = 0.9;
/** Least evidence, in words that the key shares with a type. */
const LEAST_SCORE = 0.4;
/** By how much the best reading of a field is ahead of the next one. */
const LEAST_LEAD = 0.1;
/** Least cosine of a key and a type's name from which they say the same. */
const LEAST_LIKENESS = 0.62;
/** Of a key's words before its last, of a key like a type's name in meaning, of a title. */
const WEIGHTS = { inner: 0.8, like: 0.7, neutral: 0.5 } as const;
const MAX_KEYS = 512;
/** What is not settled, or no longer so. */
const unsettled =
  /\b(?:former|previous|proposed|planned|possible|potential|prospective|rejected|declined|expected|ex)\b/i;
/** "holder" holds. */
const agentEnding = /(?<=\p{L}{3})(?:ers?|ors?|ees?|ing)$/u;
const naming = /^(?:.* )?(?:name|title)$/;

export interface RecordReading {
  readonly relations: readonly JoinedRelation[];
  /** Whether a part of the passage belongs to a record: no sentence of prose. */
  covers(span: Span): boolean;
}

export type RecordReader = (passage: Passage) => Promise<RecordReading>;

/** `turn`: called between records. */
export async function createRecordReader(
  schema: OntologySchema,
  embed: Embed,
  turn?: () => Promise<void>,
): Promise<RecordReader> {
  const stem = createTriggerStem();
  const edges = profileEdges(schema, stem);
  const keys = await createKeyReader(schema, { embed, edges, stem });
  return async (passage) => {
    const text = passage.textOf(passage);
    const relations: JoinedRelation[] = [];
    const covered: Span[] = [];
    for (const record of findRecords(text)) {
      await turn?.();
      const told = await readRecord(record, { schema, edges, passage, keys });
      relations.push(...told);
      // "Note: …" is a sentence.
      if (told.length > 0 || record.fields.filter(({ key }) => key !== "").length > 1) covered.push(record);
    }
    return {
      relations,
      covers: ({ start, end }) =>
        covered.some((record) => record.start + passage.start < end && start < record.end + passage.start),
    };
  };
}

/** How far a key names each node type and each edge type, 0…1. */
interface KeyMeaning {
  readonly types: readonly number[];
  readonly edges: readonly number[];
}

type ReadKey = (key: string) => Promise<KeyMeaning>;

interface KeyWords {
  readonly embed: Embed;
  readonly edges: readonly EdgeProfile[];
  readonly stem: Stem;
}

async function createKeyReader(schema: OntologySchema, { embed, edges, stem }: KeyWords): Promise<ReadKey> {
  const types = weighTypeWords(schema.nodeTypes, stem);
  const taught = edges.map(({ edge }) => keysOfExamples(edge));
  const vectors: Float32Array[] = [];
  for (const { name } of schema.nodeTypes) vectors.push(await embed(readableName(name)));
  const read = async (key: string): Promise<KeyMeaning> => {
    const words = wordsOfName(key).split(" ").filter(isContentWord);
    const head = headOf(wordsOfName(key));
    const vector = words.length === 0 ? null : await embed(words.join(" "));
    const best = (weights: ReadonlyMap<string, number>, formsOf: (word: string) => readonly string[]) =>
      words.reduce((most, word) => {
        const weight = Math.max(...formsOf(word).map((form) => weights.get(stem(form)) ?? 0));
        return Math.max(most, singular(word) === head ? weight : weight * WEIGHTS.inner);
      }, 0);
    const inNumber = (word: string) => [word, singular(word)];
    const asVerb = (word: string) => [...inNumber(word), singular(word).replace(agentEnding, "")];
    return {
      types: types.map((weights, at) => {
        const like = vector === null ? 0 : dot(vector, vectors[at] ?? vector);
        return Math.max(best(weights, inNumber), like >= LEAST_LIKENESS ? WEIGHTS.like : 0);
      }),
      edges: edges.map(({ triggers }, at) => (taught[at]?.has(key) === true ? 1 : best(triggers, asVerb))),
    };
  };
  const known = createRecentMap<string, Promise<KeyMeaning>>(MAX_KEYS);
  return (key) => known.getOrMake(key, () => read(key));
}

/** The keys of fields by which examples tell the edge type. */
function keysOfExamples({ examples }: EdgeType): ReadonlySet<string> {
  const keys = examples.flatMap(({ source, target, text }) => {
    if (text === null || source === null || target === null) return [];
    const named = findRecords(text).flatMap(({ fields }) =>
      fields.filter(({ start, end }) =>
        [source, target].some((name) => text.slice(start, end).includes(name)),
      ),
    );
    return named.map(({ key }) => key.toLowerCase()).filter((key) => key !== "" && !naming.test(key));
  });
  return new Set(keys);
}

interface RecordContext {
  readonly schema: OntologySchema;
  readonly edges: readonly EdgeProfile[];
  readonly passage: Passage;
  readonly keys: ReadKey;
}

interface NamedField {
  readonly key: string;
  readonly meaning: KeyMeaning;
  readonly entities: readonly FoundEntity[];
}

async function readRecord(record: TextRecord, context: RecordContext): Promise<readonly JoinedRelation[]> {
  const { schema } = context;
  const fields: NamedField[] = [];
  for (const field of record.fields) fields.push(await readField(field, context));
  const at = subjectOf(fields);
  const [subject, others] = [fields[at], fields.filter((_, other) => other !== at)];
  const [entity, ...more] = subject?.entities ?? [];
  if (subject === undefined || entity === undefined || more.length > 0) return [];
  const isNeutral = subject.key === "" || naming.test(subject.key);
  const linked = others.map((field) => linksOf(field, context));
  const readings = schema.nodeTypes.map((_, type) => {
    const own = Math.max(subject.meaning.types[type] ?? 0, isNeutral ? WEIGHTS.neutral : 0);
    const links = own === 0 ? [] : linked.flatMap((links) => links[type] ?? []);
    return { own, links, sum: own + links.reduce((sum, { score }) => sum + score, 0) };
  });
  const type = readings.reduce(
    (best, { sum }, index) => (sum > (readings[best]?.sum ?? 0) ? index : best),
    0,
  );
  const subjectType = schema.nodeTypes[type]?.name ?? "";
  // The more of a record the ontology explains, the surer is each of its fields.
  const explained = readings[type]?.sum ?? 0;
  const timesFor = timesOf(record, { context, links: readings[type]?.links ?? [] });
  return (readings[type]?.links ?? []).flatMap(({ field, edge, isInverse, otherType }) =>
    field.entities.flatMap((other) => {
      const [mine, its] = [
        { ...entity, type: subjectType },
        { ...other, type: otherType },
      ];
      const [source, target] = isInverse ? [its, mine] : [mine, its];
      const fact = { type: edge.name, sourceType: source.type, targetType: target.type };
      if (source.key === target.key || checkFact(schema, fact) !== "fits") return [];
      const { sentence } = other;
      return [
        {
          type: edge.name,
          source,
          target,
          sentence,
          confidence: explained / (1 + explained),
          extractor: "record" as const,
          ...timesFor(field.key),
        },
      ];
    }),
  );
}

function timesOf(
  { fields }: TextRecord,
  { context: { passage }, links }: { readonly context: RecordContext; readonly links: readonly FieldLink[] },
) {
  const texts = fields.map(({ key, start, end }) => {
    return { key, text: passage.textOf({ start: passage.start + start, end: passage.start + end }) };
  });
  const timed = links.filter(({ edge }) => edge.temporal).map(({ field }) => field.key);
  return timesOfRecord(texts, { timed, documentDate: passage.documentDate });
}

/** The title, else the field that is called a name, else the first one. */
function subjectOf(fields: readonly NamedField[]): number {
  const named = fields.findIndex(({ key, entities }) => naming.test(key) && entities.length > 0);
  if (named >= 0) return named;
  return Math.max(
    0,
    fields.findIndex(({ entities }) => entities.length > 0),
  );
}

interface FieldLink {
  readonly field: NamedField;
  readonly edge: EdgeType;
  readonly otherType: string;
  /** The record's subject is the edge's target. */
  readonly isInverse: boolean;
  readonly score: number;
}

/**
 * For each node type that the record's subject may be of the relationship that a field tells; null where none or several fit. In time by the
 * edge types' lists of types.
 */
function linksOf(field: NamedField, { schema, edges }: RecordContext): readonly (FieldLink | null)[] {
  const { meaning } = field;
  const best = schema.nodeTypes.map((): FieldLink | null => null);
  const second = new Float64Array(best.length);
  for (const [index, { edge, sources, targets }] of edges.entries()) {
    for (const isInverse of [false, true]) {
      const [own, others] = isInverse ? [targets, sources] : [sources, targets];
      const { at, score, next } = topTwo(
        others,
        (type) => (meaning.types[type] ?? 0) + (meaning.edges[index] ?? 0),
      );
      const otherType = schema.nodeTypes[at]?.name;
      if (otherType === undefined || score <= 0) continue;
      const link = { field, edge, otherType, isInverse, score };
      for (const type of own) {
        const before = best[type]?.score ?? 0;
        second[type] = score > before ? Math.max(before, next) : Math.max(second[type]!, score);
        if (score > before) best[type] = link;
      }
    }
  }
  return best.map((link, type) =>
    link === null || link.score < LEAST_SCORE || link.score - second[type]! < LEAST_LEAD ? null : link,
  );
}

/** The first of the types with the highest score, and the highest score of the others. */
function topTwo(types: readonly number[], scoreOf: (type: number) => number) {
  let top = { at: -1, score: Number.NEGATIVE_INFINITY, next: Number.NEGATIVE_INFINITY };
  for (const at of types) {
    const score = scoreOf(at);
    if (score > top.score) top = { at, score, next: top.score };
    else if (score > top.next) top.next = score;
  }
  return top;
}

async function readField(field: RecordField, { passage, keys }: RecordContext): Promise<NamedField> {
  const start = passage.start + field.start;
  const { lead, names } = readFieldNames(passage.textOf({ start, end: passage.start + field.end }), start);
  const key = `${field.key} ${lead}`.trim().toLowerCase();
  const isSettled = !unsettled.test(key);
  const entities = isSettled ? names.flatMap((span) => entityAt(passage, span) ?? []) : [];
  return { key, meaning: await keys(key), entities };
}

function entityAt(
  passage: Passage,
  span: { readonly start: number; readonly end: number },
): FoundEntity | null {
  const named = nameAt(passage, span);
  const sentence = passage.sentences.find(({ start, end }) => start <= span.start && span.start < end);
  if (named === null || sentence === undefined) return null;
  const from = sentence.tokens.findIndex(({ end }) => end > span.start);
  const to = sentence.tokens.findLastIndex(({ start }) => start < span.end) + 1;
  if (from < 0 || to <= from) return null;
  const place = { ...span, from, to, kind: "proper" as const, variantOf: null };
  return { ...place, ...named, sentence: sentence.index, type: "", confidence: CONFIDENCE };
}
