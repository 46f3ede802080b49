/** A thread that suggests ontologies: it holds the part-of-speech tagger, which no other request needs. */
import { createTagger } from "../engine/ingest/extract/statements/create-tagger.ts";
import { suggestOntology } from "../engine/ontology/suggest/suggest-ontology.ts";
import type { SuggesterOutcome } from "../ports/suggester.ts";
import { serveThread } from "./serve-thread.ts";

await serveThread<string, SuggesterOutcome>("suggest", () => {
  const tag = createTagger();
  return { answer: (useCase) => suggestOntology(useCase, tag) };
});
