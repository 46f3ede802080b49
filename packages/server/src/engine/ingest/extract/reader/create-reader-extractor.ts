/** Has a local reader read chunks, in place of a language model: the built-in engine reads beside it. */
import type { BoundOntology } from "../../../../domain/ontology.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { createTurns } from "../../../../domain/turns.ts";
import type { EntityReader } from "../../../../ports/entity-reader.ts";
import {
  ExtractionSkippedError,
  MODEL_EXTRACTOR_LIMITS,
  type ModelExtractor,
} from "../model/create-model-extractor.ts";
import { mergeFacts } from "../model/merge-facts.ts";
import { narrowToConcrete } from "../model/model-types.ts";
import { type AskedTypes, askForTypes, OPEN_TYPES } from "./label-texts.ts";
import { readerFacts } from "./reader-facts.ts";

/** For one thread. `atOnce`: chunks that are given to the reader; the others can still be skipped. */
export function createReaderExtractor(deps: {
  readonly reader: EntityReader;
  readonly atOnce: number;
}): ModelExtractor {
  const turns = createTurns({ atOnce: deps.atOnce });
  const made = createRecentMap<string, AskedTypes>(MODEL_EXTRACTOR_LIMITS.ontologies);
  const askedOf = (ontology: BoundOntology | null): AskedTypes =>
    ontology === null
      ? OPEN_TYPES
      : made.getOrMake(ontology.ontologyId, () =>
          askForTypes(narrowToConcrete(parseOntology(ontology.schemaJson)).schema),
        );
  return {
    async ask({ chunk, ontology, confidenceLimits: limits, meter: { accountId }, isWanted, signal }) {
      const asked = askedOf(ontology);
      const read = () => {
        if (!isWanted()) throw new ExtractionSkippedError();
        return deps.reader.read(chunk.text, asked.labels, accountId);
      };
      const reading = await turns.run(async () => read(), { accountId, signal });
      const own = readerFacts(reading, { chunk, asked, limits });
      return {
        isPaid: false,
        joinWith: (builtIn) => ({ own, joined: mergeFacts(own, builtIn, asked.schema) }),
      };
    },
  };
}
