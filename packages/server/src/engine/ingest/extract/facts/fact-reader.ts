/** Reads the facts of chunks, for each ontology with what was made for it once. */

import type { ChunkFacts } from "../../../../domain/graph.ts";
import { withFewAliases } from "../../../../domain/ontology/few-aliases.ts";
import type { BoundOntology } from "../../../../domain/ontology.ts";
import { type OntologySchema, parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { createOntologyFactReader } from "./ontology-facts.ts";
import { createOpenFactReader } from "./open-facts.ts";
import type { FactModels, Passage, ReadFacts } from "./passage.ts";

export const FACT_READER_LIMITS = {
  /** Ontologies that are ready at a time; one takes a second to make, one of thousands of types some seconds. */
  ontologies: 8,
  /** Of one ontology that are read, of all its edge types together; the words around each are embedded. */
  examples: 500,
  /** UTF-16 units of their texts. */
  exampleUnits: 100_000,
  /** Of one ontology that are read, of all its types together: 100,000 take half a minute and 400 MB. */
  aliases: 8_000,
  /** UTF-16 units of the descriptions of one ontology that are read: four million take 2 seconds and 120 MB, at eight ontologies more than a thread has. */
  descriptionUnits: 400_000,
  /** UTF-16 units of an ontology's names and descriptions that are embedded: about two seconds. */
  embeddedUnits: 100_000,
  /** When these are used up, so many of each further text. */
  leastUnits: 24,
  /** Vectors of words and names that all ontologies share, 1.5 kB each. */
  vectors: 8_000,
} as const;

export interface FactReader {
  /** `ontology`: null where types come from the data. @throws what the models throw */
  read(passage: Passage, ontology: BoundOntology | null): Promise<ChunkFacts>;
}

/** For one thread. Deterministic: what was read before changes nothing but the time it takes. */
export function createFactReader(models: FactModels): FactReader {
  const vectors = createRecentMap<string, Promise<Float32Array>>(FACT_READER_LIMITS.vectors);
  const readers = createRecentMap<string, Promise<ReadFacts>>(FACT_READER_LIMITS.ontologies);
  const shared: FactModels = {
    ...models,
    embed: (text) => vectors.getOrMake(text, () => models.embed(text)),
  };
  let open: Promise<ReadFacts> | null = null;
  return {
    async read(passage, ontology) {
      if (ontology === null) {
        open ??= createOpenFactReader(shared);
        const read = await open;
        return read(passage);
      }
      const { ontologyId, schemaJson } = ontology;
      const read = await readers.getOrMake(ontologyId, async () => {
        const bounded = boundUnits(shared.embed);
        const few = withFewExamples(parseOntology(schemaJson));
        await models.turn?.();
        const schema = withShortDescriptions(withFewAliases(few, FACT_READER_LIMITS.aliases));
        const made = await createOntologyFactReader(schema, { ...shared, embed: bounded.embed });
        bounded.end();
        return made;
      });
      return read(passage);
    },
  };
}

/** Cuts the texts of an ontology when its units are used up. After `end` nothing is cut: then words of passages are embedded, which are short. */
export function boundUnits(embed: FactModels["embed"]): { embed: FactModels["embed"]; end(): void } {
  let left: number = FACT_READER_LIMITS.embeddedUnits;
  return {
    embed(text) {
      const cut = text.slice(0, Math.max(FACT_READER_LIMITS.leastUnits, left));
      left -= cut.length;
      return embed(cut);
    },
    end() {
      left = Number.POSITIVE_INFINITY;
    },
  };
}

/** Every edge type keeps its first ones; of more edge types than there is room for, the first. */
export function withFewExamples(schema: OntologySchema): OntologySchema {
  const most = FACT_READER_LIMITS.examples;
  const longest = Math.max(0, ...schema.edgeTypes.map(({ examples }) => examples.length));
  let [count, total] = [0, 0];
  while (count < longest) {
    total += schema.edgeTypes.filter(({ examples }) => examples.length > count).length;
    if (count > 0 && total > most) break;
    count++;
  }
  let [left, units] = [most, FACT_READER_LIMITS.exampleUnits as number];
  const edgeTypes = schema.edgeTypes.map((edge) => {
    const examples = edge.examples.slice(0, Math.min(count, left)).filter(({ text }) => {
      units -= text?.length ?? 0;
      return units >= 0;
    });
    left -= examples.length;
    return { ...edge, examples };
  });
  return { ...schema, edgeTypes };
}

/** Where all descriptions together are too long, each type keeps the beginning of its own, of the same length for all. */
export function withShortDescriptions(schema: OntologySchema): OntologySchema {
  const types = [...schema.nodeTypes, ...schema.edgeTypes];
  const total = types.reduce((sum, { description }) => sum + description.length, 0);
  if (total <= FACT_READER_LIMITS.descriptionUnits) return schema;
  const most = Math.floor(FACT_READER_LIMITS.descriptionUnits / types.length);
  const cut = <Type extends { readonly description: string }>(type: Type): Type => ({
    ...type,
    // A part of a string keeps the whole string in memory.
    description: Array.from(type.description.slice(0, most)).join(""),
  });
  return { ...schema, nodeTypes: schema.nodeTypes.map(cut), edgeTypes: schema.edgeTypes.map(cut) };
}
