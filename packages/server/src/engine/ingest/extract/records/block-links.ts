/** Reads a record of lines or pairs, "key: value", as relationships of an ontology: the key says what the value is, and of what. */
import type { EdgeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { Passage } from "../facts/passage.ts";
import type { JoinedRelation } from "../facts/relation-facts.ts";
import type { EdgeProfile } from "../relations/edge-profile.ts";
import { isNeutral } from "./field-names.ts";
import type { TextRecord } from "./find-records.ts";
import type { KeyMeaning } from "./key-meaning.ts";
import type { ReadColumn } from "./read-columns.ts";
import { timesIn } from "./record-times.ts";

/** Least evidence, in words that the key shares with a type. */
const LEAST_SCORE = 0.4;
/** By how much the best reading of a field is ahead of the next one. */
const LEAST_LEAD = 0.1;
/** Least cosine of a key and a type's name from which they say the same. */
const LEAST_LIKENESS = 0.62;
/** Of a key like a type in meaning, and of a title. */
const WEIGHTS = { like: 0.7, neutral: 0.5 } as const;
const naming = /^(?:.* )?(?:name|title)$/;

interface KeyContext {
  readonly schema: OntologySchema;
  readonly edges: readonly EdgeProfile[];
}

export interface BlockContext extends KeyContext {
  readonly passage: Passage;
}

/** What the keys say in so many words. */
export interface Explained {
  /** The field or column that the others tell something of, and its type. */
  readonly subject: number;
  readonly type: number;
  /** For each field or column the relationship that it tells. */
  readonly links: readonly (FieldLink | null)[];
  /** How much of the record is explained, 0…1: the more, the surer is each of its fields. */
  readonly score: number;
}

/** null where no key says what the subject is. */
export function explainKeys(columns: readonly ReadColumn[], context: KeyContext): Explained | null {
  const at = subjectOf(columns);
  const subject = columns[at];
  if (subject === undefined) return null;
  const isUnnamed = subject.key === "" || naming.test(subject.key);
  const linked = columns.map((column, other) => (other === at ? [] : linksOf(column, context)));
  let best: Explained | null = null;
  let most = 0;
  for (const type of context.schema.nodeTypes.keys()) {
    const own = Math.max(saysType(subject.meaning, type), isUnnamed ? WEIGHTS.neutral : 0);
    if (own === 0) continue;
    const links = linked.map((each) => each[type] ?? null);
    const sum = links.reduce((all, link) => all + (link?.score ?? 0), own);
    if (sum <= most) continue;
    most = sum;
    best = { subject: at, type, links, score: sum / (1 + sum) };
  }
  return best;
}

/** `columns`: the fields of the record, each a column of one value. */
export function linkBlock(
  record: TextRecord,
  columns: readonly ReadColumn[],
  context: BlockContext,
): readonly JoinedRelation[] {
  const { schema } = context;
  const explained = explainKeys(columns, context);
  const fields = columns.map(({ values }) => values.fields[0] ?? null);
  const [entity, ...more] = fields[explained?.subject ?? -1]?.entities ?? [];
  if (explained === null || entity === undefined || more.length > 0) return [];
  const { links, score: confidence } = explained;
  const subjectType = schema.nodeTypes[explained.type]?.name ?? "";
  const timed = columns.filter((_, other) => links[other]?.edge.temporal === true).map(({ key }) => key);
  const timesFor = timesIn(record, timed, context.passage);
  return links.flatMap((link, other) => {
    const key = columns[other]?.key ?? "";
    return (fields[other]?.entities ?? []).flatMap((value): readonly JoinedRelation[] => {
      if (link === null) return [];
      const [mine, its] = [
        { ...entity, type: subjectType },
        { ...value, type: schema.nodeTypes[link.otherType]?.name ?? "" },
      ];
      const [source, target] = link.isInverse ? [its, mine] : [mine, its];
      if (source.key === target.key) return [];
      const { sentence } = value;
      const relation = { type: link.edge.name, source, target, sentence, confidence };
      return [{ ...relation, extractor: "record", ...timesFor(key) }];
    });
  });
}

function saysType({ types, likeTypeNames }: KeyMeaning, type: number): number {
  return Math.max(types[type] ?? 0, (likeTypeNames[type] ?? 0) >= LEAST_LIKENESS ? WEIGHTS.like : 0);
}

/** The title, else the field that is called a name, else the first one. */
function subjectOf(columns: readonly ReadColumn[]): number {
  const named = columns.findIndex(({ key, values }) => naming.test(key) && values.isNamed);
  return named >= 0 ? named : columns.findIndex(({ values }) => values.isNamed);
}

export interface FieldLink {
  readonly edge: EdgeType;
  /** Index into the schema's edge types. */
  readonly edgeIndex: number;
  /** Index into the schema's node types. */
  readonly otherType: number;
  /** The record's subject is the edge's target. */
  readonly isInverse: boolean;
  readonly score: number;
}

/**
 * For each node type that the record's subject may be of the relationship that a field tells; null where none or several fit. In time by the
 * edge types' lists of types.
 */
function linksOf({ key, meaning }: ReadColumn, { schema, edges }: KeyContext): readonly (FieldLink | null)[] {
  const best = schema.nodeTypes.map((): FieldLink | null => null);
  if (isNeutral(key)) return best;
  const second = new Float64Array(best.length);
  for (const [index, { edge, sources, targets }] of edges.entries()) {
    for (const isInverse of [false, true]) {
      const [own, others] = isInverse ? [targets, sources] : [sources, targets];
      const { at, score, next } = topTwo(
        others,
        (type) => saysType(meaning, type) + (meaning.edges[index] ?? 0),
      );
      if (at < 0 || score <= 0) continue;
      const link = { edge, edgeIndex: index, otherType: at, isInverse, score };
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
