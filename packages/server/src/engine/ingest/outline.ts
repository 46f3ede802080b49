/** Reads names and sentences out of a document's chunks: what needs the whole document but no model. */
import type { Chunk } from "../../domain/document.ts";
import type { Mention, Sentence, Subject } from "../../domain/graph.ts";
import { readLexicon } from "../text/names/lexicon.ts";
import { findMentions } from "../text/names/mentions.ts";
import { findDocumentSubjects, findSubjects } from "../text/names/subjects.ts";
import { sentences } from "../text/sentences.ts";
import { type Antecedent, findAntecedent } from "./antecedent.ts";
import { findTitle } from "./headings.ts";
import { splitLines } from "./sentence-lines.ts";

/** Offsets are into the document's text. */
export interface ChunkOutline {
  readonly subjects: readonly Subject[];
  readonly sentences: readonly Sentence[];
  readonly mentions: readonly Mention[];
  /** The document's title without what stands in parentheses. */
  readonly title: string | null;
  /** Whom the pronoun that begins the chunk stands for; null where that is not known. */
  readonly antecedent: Antecedent | null;
}

/** More sentences in one chunk are a list or a table: the rest is left to the search of the whole chunk. */
const MAX_SENTENCES = 64;

/** Outlines the chunks of one document; reading the document once is linear in its first 200,000 code units. */
export function outlineDocument(text: string): (chunk: Chunk) => ChunkOutline {
  const lexicon = readLexicon(text);
  const heading = findTitle(text);
  const about = findDocumentSubjects(text, { title: heading?.text ?? null, lexicon });
  const title = heading?.text.replace(/\s*\([^()]*\)\s*$/, "").trim() ?? "";
  return (chunk) => {
    const found: Sentence[] = [];
    for (const sentence of sentences(chunk.text)) {
      if (found.length >= MAX_SENTENCES) break;
      for (const { start, end } of splitLines(chunk.text, sentence))
        found.push({ start: chunk.start + start, end: chunk.start + end });
    }
    found.length = Math.min(found.length, MAX_SENTENCES);
    return {
      subjects: findSubjects(chunk, about),
      sentences: found,
      mentions: findMentions(text, found, { lexicon }),
      title: title === "" ? null : title,
      antecedent: findAntecedent(text, chunk.start, lexicon),
    };
  };
}
