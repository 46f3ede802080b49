/** Reads a chunk for the graph: its sentences' vectors, what they state, and the facts that the project's types have a place for. */
import type { Span } from "../../../domain/graph.ts";
import type { PassageReader, PassageReading, PassageRequest } from "../../../ports/passage-reader.ts";
import { createFactReader } from "./facts/fact-reader.ts";
import type { FactModels, Passage, PassageSentence } from "./facts/passage.ts";
import { findEntityMentions } from "./mentions/find-entity-mentions.ts";
import { withOpeningTitle } from "./relations/opening-title.ts";
import { findStatements } from "./statements/find-statements.ts";

const INT8_RANGE = 127;

/** Every sentence is tagged, and every distinct one embedded, once; one text a call: a vector is a function of its text alone. */
export function createPassageReader(models: FactModels): PassageReader {
  const facts = createFactReader(models);
  return {
    async read(request): Promise<PassageReading> {
      const passage = await readSentences(request, models);
      return {
        sentenceVectors: toRows(passage.sentences),
        statements: passage.sentences.flatMap(({ statements }) => statements),
        facts: await facts.read(passage, request.ontology),
      };
    },
  };
}

async function readSentences(request: PassageRequest, models: FactModels): Promise<Passage> {
  const { text, start, mentions: names, documentSubject, antecedent = null } = request;
  const textOf = (span: Span) => text.slice(span.start - start, span.end - start);
  const sentences: PassageSentence[] = [];
  const known = new Map<string, PassageSentence["encoded"]>();
  for (const [index, span] of request.sentences.entries()) {
    const encoded = known.get(textOf(span)) ?? (await models.encode(textOf(span)));
    known.set(textOf(span), encoded);
    const tokens = models
      .tag(text, { start: span.start - start, end: span.end - start })
      .map((token) => ({ ...token, start: token.start + start, end: token.end + start }));
    const mentions = withOpeningTitle(tokens, findEntityMentions(tokens));
    const statements = findStatements(tokens, index);
    sentences.push({ start: span.start, end: span.end, index, tokens, mentions, statements, encoded });
  }
  return { start, end: start + text.length, textOf, sentences, names, documentSubject, antecedent };
}

/** A row of int8 for each sentence. */
function toRows(sentences: readonly PassageSentence[]): Int8Array {
  const dimensions = sentences[0]?.encoded.vector.length ?? 0;
  const rows = new Int8Array(sentences.length * dimensions);
  for (const [at, { encoded }] of sentences.entries()) {
    for (const [place, value] of encoded.vector.entries()) {
      rows[at * dimensions + place] = Math.round(Math.max(-1, Math.min(1, value)) * INT8_RANGE);
    }
  }
  return rows;
}
