/** Reads a chunk for the graph: its sentences' vectors, what they state, and the facts that the project's types have a place for. */
import { indexedText } from "../../../domain/document.ts";
import { DEFAULT_CONFIDENCE_LIMITS, type Span } from "../../../domain/graph.ts";
import type { PassageReader, PassageReading, PassageRequest } from "../../../ports/passage-reader.ts";
import { type EncodedChunk, encodeSentences } from "./encode-sentences.ts";
import { createFactReader } from "./facts/fact-reader.ts";
import type { FactModels, Passage, PassageSentence } from "./facts/passage.ts";
import { saidTitle, withTitle } from "./mentions/document-title.ts";
import { findEntityMentions } from "./mentions/find-entity-mentions.ts";
import { findStatements } from "./statements/find-statements.ts";

const INT8_RANGE = 127;

/** The chunk is encoded once, as it is embedded, and every sentence tagged once: the reading is a function of the request alone. */
export function createPassageReader(models: FactModels): PassageReader {
  const facts = createFactReader(models);
  return {
    async read(request): Promise<PassageReading> {
      const part = embeddedPart(request);
      const encoded = await encodeSentences(part, models.encode);
      const passage = readSentences(request, { models, encoded, offset: part.offset });
      return {
        vector: encoded.vector,
        sentenceVectors: toRows(passage.sentences),
        statements: passage.sentences.flatMap(({ statements }) => statements),
        facts: await facts.read(passage, request.ontology),
      };
    },
  };
}

/** What is embedded of the chunk, with its sentences. */
function embeddedPart({ header = "", text, start, sentences }: PassageRequest) {
  const embedded = indexedText({ header, text });
  const before = start - (embedded.length - text.length);
  const spans = sentences.map((span) => ({ start: span.start - before, end: span.end - before }));
  return { text: embedded, sentences: spans, offset: before };
}

interface SentenceSources {
  readonly models: FactModels;
  readonly encoded: EncodedChunk;
  readonly offset: number;
}

function readSentences(
  request: PassageRequest,
  { models, encoded: chunk, offset }: SentenceSources,
): Passage {
  const { header = "", text, start, mentions: names, documentSubject } = request;
  const { antecedent = null, documentDate = null } = request;
  const limits = request.confidenceLimits ?? DEFAULT_CONFIDENCE_LIMITS;
  const textOf = (span: Span) => text.slice(span.start - start, span.end - start);
  const tagged = request.sentences.map((span) =>
    models
      .tag(text, { start: span.start - start, end: span.end - start })
      .map((token) => ({ ...token, start: token.start + start, end: token.end + start })),
  );
  const title = saidTitle(tagged, documentSubject);
  const sentences = request.sentences.map((span, index): PassageSentence => {
    const tokens = withTitle(tagged[index]!, title); // One for each.
    const mentions = findEntityMentions(tokens, title);
    const statements = findStatements(tokens, index);
    const encoded = chunk.sentences[index]!; // One for each.
    return { start: span.start, end: span.end, index, tokens, mentions, statements, encoded };
  });
  const place = { start, end: start + text.length, whole: chunk.whole, offset };
  const heading = header.split("\n", 1)[0]?.split(" > ").at(-1) ?? "";
  const around = { heading, table: request.table ?? null, documentSubject, documentDate, antecedent };
  return { ...place, textOf, sentences, limits, names, ...around };
}

/** A row of int8 for each sentence. */
function toRows(sentences: readonly PassageSentence[]): Int8Array {
  const dimensions = sentences[0]?.encoded.vector.length ?? 0;
  const rows = new Int8Array(sentences.length * dimensions);
  for (const [at, { encoded }] of sentences.entries()) {
    for (let k = 0; k < dimensions; k++) {
      const value = Math.max(-1, Math.min(1, encoded.vector[k]!));
      rows[at * dimensions + k] = Math.round(value * INT8_RANGE);
    }
  }
  return rows;
}
