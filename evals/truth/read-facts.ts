/**
 * Reads the relationships that the service would assert or propose, in this process, with the scores of those that read them instead of
 * calibrated confidences.
 */
import { mkdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  MINILM_MAX_TOKENS,
  openMiniLmEmbedder,
} from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { openMiniLmFacts } from "../../packages/server/src/adapters/models/minilm-facts.ts";
import { silenceRuntime } from "../../packages/server/src/adapters/models/runtime/silence-runtime.ts";
import type {
  ChunkFacts,
  ConfidenceLimits,
  ProposedRelationship,
} from "../../packages/server/src/domain/graph.ts";
import { chunkDocument } from "../../packages/server/src/engine/ingest/chunk.ts";
import { DEFAULT_CHUNKING } from "../../packages/server/src/engine/ingest/defaults.ts";
import {
  type ConfidenceOf,
  confidenceOf,
  type Producer,
} from "../../packages/server/src/engine/ingest/extract/confidence.ts";
import { createPassageReader } from "../../packages/server/src/engine/ingest/extract/read-passage.ts";
import { createTagger } from "../../packages/server/src/engine/ingest/extract/statements/create-tagger.ts";
import { outlineDocument } from "../../packages/server/src/engine/ingest/outline.ts";
import { readCases } from "../extraction/cases.ts";
import { type AnnotatedSet, readAnnotated, schemaOf } from "./annotated.ts";
import { readTexts, type TruthText, wholeText } from "./texts.ts";

/** A text with the ontology under which it is read. */
export interface Reading {
  /** Whether its facts may be used for fitting; else they are reported. */
  readonly isTuned: boolean;
  /** Of the ontology; "" without one. */
  readonly ontology: string;
  readonly examples: number;
  readonly schemaJson: string | null;
  readonly document: string;
  readonly text: string;
  /** Of sentences that are annotated: what they state. */
  readonly gold: AnnotatedSet["sentences"][number]["facts"] | null;
}

export interface ReadFact {
  readonly reading: Reading;
  readonly producer: Producer;
  readonly score: number;
  readonly isAsserted: boolean;
  readonly source: string;
  readonly edge: string;
  readonly target: string;
  /** As a judge is given it. */
  readonly claim: string;
  readonly quote: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

type Ontologies = readonly (AnnotatedSet["ontology"] & { readonly id: string })[];

const EXAMPLES = [0, 5] as const;
const noSet = { part: "tuned", examples: [], sentences: [] } as const;

/**
 * The annotated sentences; the tuned ones and those of their sets' examples also under an ontology that fits them roughly, and without
 * one; the tuned half of evals/extraction; and texts, under an ontology of their kind and without one.
 */
export async function listReadings(): Promise<readonly Reading[]> {
  const sets = (await readAnnotated()).filter(({ part }) => part !== "fresh");
  const texts = await readTexts();
  const own = new URL("./ontologies.json", import.meta.url);
  const ontologies = JSON.parse(await readFile(own, "utf8")) as Ontologies; // Our own file.
  const plain = { isTuned: true, ontology: "", examples: 0, schemaJson: null, gold: null };
  const judged = sets.filter(({ id, part }) => part === "tuned" && !id.startsWith("third-"));
  const examplesOf = ({ id, examples }: AnnotatedSet) =>
    examples.map(({ sentence: text }, place) => ({ document: `${id}-example-${place}`, text }));
  const sentences = judged.flatMap((set) => [
    ...set.sentences.map(({ text }, place) => ({ document: `${set.id}-${place}`, text })),
    ...examplesOf(set),
  ]);
  return [
    ...sets.flatMap((set) =>
      EXAMPLES.flatMap((examples) =>
        set.sentences.map(({ text, facts }, place) => ({
          ...{ isTuned: set.part === "tuned", ontology: set.id, examples, text, gold: facts },
          schemaJson: JSON.stringify(schemaOf(set, examples)),
          document: `${set.id}-${place}`,
        })),
      ),
    ),
    ...judged.flatMap((set) => {
      const schemaJson = JSON.stringify(schemaOf(set, 0));
      return examplesOf(set).map((example) => ({ ...plain, ...example, ontology: set.id, schemaJson }));
    }),
    ...ontologies.flatMap(({ id, ...ontology }) => {
      const schemaJson = JSON.stringify(schemaOf({ ...noSet, id, ontology }, 0));
      const documents = id === "general" ? sentences : (texts.get(id) ?? []).map(documentOf);
      return documents.map((document) => ({ ...plain, ...document, ontology: id, schemaJson }));
    }),
    ...(await readExtractionCases()).map((one) => ({ ...plain, ...one })),
    ...[...sentences, ...[...texts.values()].flat().map(documentOf)].map((one) => ({ ...plain, ...one })),
  ];
}

/** Of evals/extraction the half that is tuned on. */
async function readExtractionCases() {
  const file = new URL("../extraction/ontologies.json", import.meta.url);
  const schemas = JSON.parse(await readFile(file, "utf8")) as Readonly<Record<string, object>>; // Our own file.
  return (await readCases()).flatMap(({ half, ontology, text }, place) => {
    if (half === "report") return [];
    const schema = schemas[ontology];
    const schemaJson = schema === undefined ? null : JSON.stringify(schema);
    const name = schema === undefined ? "" : `extraction ${ontology}`;
    return [{ ontology: name, schemaJson, document: `extraction-${place}`, text }];
  });
}

function documentOf(text: TruthText) {
  return { document: text.id, text: wholeText(text) };
}

export interface ReadEntity {
  readonly name: string;
  readonly type: string;
}

export interface FactSource {
  read(reading: Reading): Promise<readonly ReadFact[]>;
  /** A name may be several entities. */
  entities(reading: Reading): Promise<readonly ReadEntity[]>;
  close(): Promise<void>;
}

/** `limits`: which calibrated confidences are read. */
export async function openFactSource(limits: ConfidenceLimits): Promise<FactSource> {
  silenceRuntime();
  const cacheDir = fileURLToPath(new URL("../../node_modules/.cache/kcs-models", import.meta.url));
  await mkdir(cacheDir, { recursive: true });
  const model = await openMiniLmEmbedder(cacheDir);
  const scores = new Map<string, number>();
  const recording: ConfidenceOf = (producer, score) => {
    const confidence = confidenceOf(producer, score);
    scores.set(`${producer} ${confidence}`, score);
    return confidence;
  };
  const facts = await openMiniLmFacts(cacheDir);
  const reader = createPassageReader({ ...model, facts, tag: createTagger(), confidenceOf: recording });
  const { targetTokens, overlapTokens } = DEFAULT_CHUNKING;
  const countTokens = (part: string) => model.countTokens(part);
  const limit = { maxTokens: MINILM_MAX_TOKENS - 2, countTokens, targetTokens, overlapTokens };
  let last: { readonly reading: Reading; readonly facts: Promise<readonly ChunkFacts[]> } | null = null;

  async function readChunks({
    text,
    ontology,
    examples,
    schemaJson,
  }: Reading): Promise<readonly ChunkFacts[]> {
    const outline = outlineDocument(text, {});
    const chunks: ChunkFacts[] = [];
    for (const chunk of chunkDocument(text, limit)) {
      const { sentences, mentions, antecedent, title, date: documentDate } = outline(chunk);
      const { facts } = await reader.read({
        ...{ header: chunk.header, text: chunk.text, start: chunk.start, sentences, mentions, antecedent },
        ...{ documentSubject: title, documentDate },
        confidenceLimits: limits,
        ontology: schemaJson === null ? null : { ontologyId: `${ontology} ${examples}`, schemaJson },
      });
      chunks.push(facts);
    }
    return chunks;
  }

  /** Facts and entities of the same reading are asked for one after the other. */
  async function chunksOf(reading: Reading): Promise<readonly ChunkFacts[]> {
    if (last?.reading !== reading) last = { reading, facts: readChunks(reading) };
    return await last.facts;
  }

  return {
    async close() {
      await facts.close();
      await model.close();
    },
    async entities(reading) {
      return (await chunksOf(reading)).flatMap(({ entities }) =>
        entities.map(({ name, type }) => ({ name, type })),
      );
    },
    async read(reading) {
      const facts = new Map<string, ReadFact>();
      for (const read of await chunksOf(reading)) {
        const names = new Map(read.entities.map(({ type, key, name }) => [`${type}\n${key}`, name]));
        const nameOf = (end: ProposedRelationship["source"]) =>
          names.get(`${end.type}\n${end.key}`) ?? end.key;
        const asserted = read.relationships.map((one) => ({
          ...{ ...one, isAsserted: true },
          ...{ sourceName: nameOf(one.source), targetName: nameOf(one.target) },
        }));
        const proposed = (read.proposals ?? []).map((one) => ({ ...one, isAsserted: false }));
        for (const one of [...asserted, ...proposed]) {
          const { source, target, type: edge, sourceName, targetName, start, end, isAsserted } = one;
          const { validFrom, validTo } = one;
          const producer = one.extractor as Producer; // No language model reads here.
          const claim = `"${sourceName}" (${source.type}) — ${edge} → "${targetName}" (${target.type})`;
          const quote = reading.text.slice(start, end);
          const fact = {
            ...{ reading, producer, isAsserted, claim, quote, edge, source: sourceName, target: targetName },
            ...{ validFrom, validTo },
            score: scores.get(`${producer} ${one.confidence}`) ?? Number.NaN,
          };
          const key = `${claim}\n${quote}`;
          if ((facts.get(key)?.score ?? -1) < fact.score) facts.set(key, fact);
        }
      }
      return [...facts.values()];
    },
  };
}
