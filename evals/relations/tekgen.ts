/** Reads Text2KGBench's Wikidata-TekGen (ISWC 2023): its sentences, and its ontologies in the shape of ours. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OntologySchema, parseOntology } from "../../packages/server/src/domain/ontology-schema.ts";

export interface Triple {
  readonly sub: string;
  readonly rel: string;
  readonly obj: string;
}

export interface TekgenRow {
  readonly id: string;
  readonly ontology: string;
  readonly text: string;
  readonly triples: readonly Triple[];
}

interface RawOntology {
  readonly concepts: readonly { readonly qid: string; readonly label: string }[];
  readonly relations: readonly { readonly label: string; readonly domain: string; readonly range: string }[];
}

interface RawRow {
  readonly _id: string;
  readonly ontology: string;
  readonly text: string;
  readonly triples: readonly Triple[] | null;
}

export interface EdgeExampleText {
  readonly source: string;
  readonly target: string;
  readonly text: string;
}

/** Rows that have triples. */
export function readRows(path: string): readonly TekgenRow[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.flatMap((line) => {
    const raw = JSON.parse(line) as RawRow;
    return raw.triples === null
      ? []
      : [{ id: raw._id, ontology: raw.ontology, text: raw.text, triples: raw.triples }];
  });
}

/** "3_sport" → its ontology. */
export function readOntologies(folder: string): ReadonlyMap<string, RawOntology> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith("_ontology.json"))
    .sort();
  return new Map(
    names.map((name) => [
      name.replace("_ontology.json", ""),
      JSON.parse(readFileSync(join(folder, name), "utf8")) as RawOntology,
    ]),
  );
}

export const edgeNameOf = (label: string): string =>
  label
    .trim()
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_");

/**
 * Concepts become node types of level 0, relations edge types. A relation without a range gets a node type of its own name
 * ("publication date"), one whose domain is no concept the domain that most relations have. Relations of one name are joined.
 */
export function toOntologyJson(
  raw: RawOntology,
  examples: ReadonlyMap<string, readonly EdgeExampleText[]>,
): string {
  const labels = new Map(raw.concepts.map(({ qid, label }) => [qid, label.trim()]));
  const domains = raw.relations.flatMap(({ domain }) => labels.get(domain) ?? []);
  const count = (label: string) => domains.filter((other) => other === label).length;
  const usual = [...domains].sort((a, b) => count(b) - count(a))[0] ?? "thing";
  const nodeTypes = new Set(labels.values());
  const edges = new Map<string, { sources: Set<string>; targets: Set<string>; label: string }>();
  for (const { label, domain, range } of raw.relations) {
    const name = edgeNameOf(label);
    const edge = edges.get(name) ?? { sources: new Set(), targets: new Set(), label: label.trim() };
    edge.sources.add(labels.get(domain) ?? usual);
    edge.targets.add(labels.get(range) ?? label.trim());
    for (const type of [...edge.sources, ...edge.targets]) nodeTypes.add(type);
    edges.set(name, edge);
  }
  const level = {
    level: 0,
    node_types: Object.fromEntries([...nodeTypes].map((name) => [name, { description: "", properties: [] }])),
  };
  const edgeTypes = [...edges].map(([name, { sources, targets, label }]) => {
    const own = examples.get(label) ?? [];
    return { name, source_types: [...sources], target_types: [...targets], properties: [], examples: own };
  });
  return JSON.stringify({ ontology: { hierarchy: [level], edge_types: edgeTypes } });
}

export function toSchema(
  raw: RawOntology,
  examples: ReadonlyMap<string, readonly EdgeExampleText[]>,
): OntologySchema {
  return parseOntology(toOntologyJson(raw, examples));
}

/** Compared as the benchmark does: small letters without spaces and underscores. */
export const normalForm = (text: string): string => text.replace(/[\s_]+/g, "").toLowerCase();

const months = "january february march april may june july august september october november december".split(
  " ",
);

/**
 * A date as the benchmark writes it: "08 February 2019", a year alone "01 January 2019". With `byYear` also what the data
 * has as "00  2019", and "01 January", count as the year alone.
 */
export function dateForm(text: string): string | null {
  const year = /\b(\d{4})\b/.exec(text)?.[1];
  if (year === undefined) return null;
  const month = months.findIndex((name) => text.toLowerCase().includes(name.slice(0, 3)));
  const day = /\b(\d{1,2})(?:st|nd|rd|th)?\b(?!\d)/.exec(text.replace(year, ""))?.[1];
  const name = months[month] ?? "january";
  return `${(day ?? "1").padStart(2, "0")} ${name} ${year}`;
}

/** A year without a day, however the data writes it. */
export function yearForm(text: string): string {
  return text.replace(/^(?:00\s+|01 january )(\d{4})$/i, "$1");
}

/** Deterministic halves: some sentences for learning and examples, the others for scoring. */
export function isFirstHalf(id: string): boolean {
  return (createHash("sha256").update(id).digest()[0] ?? 0) < 128;
}

/** Up to `perEdge` examples for each relation, from rows whose text has both ends. */
export function pickExamples(
  rows: readonly TekgenRow[],
  perEdge: number,
): ReadonlyMap<string, readonly EdgeExampleText[]> {
  const picked = new Map<string, EdgeExampleText[]>();
  for (const { text, triples } of rows) {
    for (const { sub, rel, obj } of triples) {
      const list = picked.get(rel.trim()) ?? [];
      const source = textOf(text, sub);
      const target = textOf(text, obj) ?? dateInText(text, obj);
      if (list.length >= perEdge || source === null || target === null) continue;
      if (list.some((example) => example.text === text)) continue;
      list.push({ source, target, text });
      picked.set(rel.trim(), list);
    }
  }
  return picked;
}

/** The name as the text writes it; the data has its tokens apart. */
function textOf(text: string, name: string): string | null {
  const pattern = name
    .split("")
    .filter((character) => !/[\s_]/.test(character))
    .map(escapeCharacter)
    .join("\\s*");
  return new RegExp(pattern, "i").exec(text)?.[0] ?? null;
}

function escapeCharacter(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function dateInText(text: string, date: string): string | null {
  const year = /^\d\d\s.*?(\d{4})$/.exec(date)?.[1];
  return year !== undefined && text.includes(year) ? year : null;
}
