/** A thread that suggests ontologies: it has the tagger of words, which no other part of the process needs for requests. */
import { parentPort } from "node:worker_threads";
import { createTagger } from "../engine/ingest/extract/statements/create-tagger.ts";
import { suggestOntology } from "../engine/ontology/suggest/suggest-ontology.ts";
import type { SuggesterOutcome } from "../ports/suggester.ts";
import { serveRpc } from "./rpc.ts";

if (parentPort !== null) {
  const tag = createTagger();
  serveRpc<string, SuggesterOutcome>(parentPort, async (useCase) => suggestOntology(useCase, tag));
}
