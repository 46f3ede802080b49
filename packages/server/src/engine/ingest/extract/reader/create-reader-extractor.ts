/** Has a local reader read chunks, in place of a language model: the built-in engine reads beside it. */
import type { BoundOntology } from "../../../../domain/ontology.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { createTurns } from "../../../../domain/turns.ts";
import type { EntityReader, ReaderReading } from "../../../../ports/entity-reader.ts";
import {
  ExtractionSkippedError,
  MODEL_EXTRACTOR_LIMITS,
  type ModelExtractor,
} from "../model/create-model-extractor.ts";
import { mergeFacts } from "../model/merge-facts.ts";
import { narrowToConcrete } from "../model/model-types.ts";
import { type AskedTypes, askForTypes, OPEN_TYPES } from "./label-texts.ts";
import { readerFacts } from "./reader-facts.ts";

/** Types of an ontology that the model is not asked for, so that the built-in engine alone reads them. */
export interface UnreadTypes {
  readonly projectId: string | null;
  readonly ontologyId: string | null;
  readonly nodeTypes: number;
  readonly edgeTypes: number;
}

/**
 * For one thread. `atOnce`: chunks that are given to the reader; the others can still be skipped. `onUnread` is called with the
 * first chunk of an ontology that has more types than the model is asked for.
 */
export function createReaderExtractor(deps: {
  readonly reader: EntityReader;
  readonly atOnce: number;
  readonly onUnread: (unread: UnreadTypes) => void;
}): ModelExtractor {
  const turns = createTurns({ atOnce: deps.atOnce });
  const made = createRecentMap<string, AskedTypes>(MODEL_EXTRACTOR_LIMITS.ontologies);
  const askedOf = (ontology: BoundOntology | null): AskedTypes =>
    ontology === null
      ? OPEN_TYPES
      : made.getOrMake(ontology.ontologyId, () =>
          askForTypes(narrowToConcrete(parseOntology(ontology.schemaJson)).schema),
        );
  const told = createRecentMap<string, true>(MODEL_EXTRACTOR_LIMITS.ontologies);

  function tellUnread(
    { unread }: ReaderReading,
    { projectId, ontologyId }: Pick<UnreadTypes, "projectId" | "ontologyId">,
  ): void {
    const { entities: nodeTypes, relations: edgeTypes } = unread;
    if (nodeTypes + edgeTypes === 0) return;
    told.getOrMake(ontologyId ?? "", () => {
      deps.onUnread({ projectId, ontologyId, nodeTypes, edgeTypes });
      return true;
    });
  }

  return {
    async ask({
      chunk,
      ontology,
      confidenceLimits: limits,
      meter: { accountId, projectId },
      isWanted,
      signal,
    }) {
      const asked = askedOf(ontology);
      const read = () => {
        if (!isWanted()) throw new ExtractionSkippedError();
        return deps.reader.read(chunk.text, asked.labels, accountId);
      };
      const reading = await turns.run(async () => read(), { accountId, signal });
      tellUnread(reading, { projectId, ontologyId: ontology?.ontologyId ?? null });
      const own = readerFacts(reading, { chunk, asked, limits });
      return {
        isPaid: false,
        joinWith: (builtIn) => ({ own, joined: mergeFacts(own, builtIn, asked.schema) }),
      };
    },
  };
}
