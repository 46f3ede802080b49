/** Reads the facts of chunks, for each ontology with what was made for it once. */

import type { ChunkFacts } from "../../../../domain/graph.ts";
import type { BoundOntology } from "../../../../domain/ontology.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createOntologyFactReader } from "./ontology-facts.ts";
import { createOpenFactReader } from "./open-facts.ts";
import type { FactModels, Passage, ReadFacts } from "./passage.ts";
import { createRecentMap } from "./recent-map.ts";

export const FACT_READER_LIMITS = {
  /** Ontologies that are ready at a time; one takes a second to make. */
  ontologies: 8,
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
      const read = await readers.getOrMake(ontologyId, () =>
        createOntologyFactReader(parseOntology(schemaJson), shared),
      );
      return read(passage);
    },
  };
}
