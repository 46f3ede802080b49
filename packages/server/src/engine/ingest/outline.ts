/** Reads sentences, names and subjects of chunks with rules that need the whole document but no model. */
import type { Chunk } from "../../domain/document.ts";
import type { Mention, Sentence, Subject } from "../../domain/graph.ts";
import { dateOfDocument } from "../text/document-date.ts";
import { findTitle } from "../text/headings.ts";
import { readLexicon } from "../text/names/lexicon.ts";
import { findMentions } from "../text/names/mentions.ts";
import { findDocumentSubjects, findSubjects } from "../text/names/subjects.ts";
import { sentences } from "../text/sentences.ts";
import { type Antecedent, findAntecedent } from "./antecedent.ts";
import { splitLines } from "./sentence-lines.ts";

/** Offsets are into the document's text. */
export interface ChunkOutline {
  readonly subjects: readonly Subject[];
  readonly sentences: readonly Sentence[];
  readonly mentions: readonly Mention[];
  /** The document's title, without parentheses at its end. */
  readonly title: string | null;
  /** The document's date; null where it is not known. */
  readonly date: string | null;
  /** What the pronoun at the beginning of the chunk refers to; null where there is none or it is not clear. */
  readonly antecedent: Antecedent | null;
}

/**
 * A chunk with more sentences is a list of words of 4 tokens or a table; the rest is found only by the search over whole chunks.
 * Each has 384 bytes in the record of the chunk, and where examples teach a run of the model: prose has 7 in a chunk.
 */
const MAX_SENTENCES = 32;

/** Returns a function that outlines chunks of one document. Reads at most the first 200,000 code units here, in linear time. */
export function outlineDocument(
  text: string,
  about: Parameters<typeof dateOfDocument>[1],
): (chunk: Chunk) => ChunkOutline {
  const date = dateOfDocument(text, about);
  const lexicon = readLexicon(text);
  const heading = findTitle(text);
  const subjects = findDocumentSubjects(text, { title: heading?.text ?? null, lexicon });
  const title = heading?.text.replace(/\([^()]*\)\s*$/, "").trim() ?? "";
  return (chunk) => {
    const parts: Sentence[] = [];
    for (const sentence of sentences(chunk.text)) {
      if (parts.length >= MAX_SENTENCES) break;
      for (const { start, end } of splitLines(chunk.text, sentence))
        parts.push({ start: chunk.start + start, end: chunk.start + end });
    }
    parts.length = Math.min(parts.length, MAX_SENTENCES);
    return {
      subjects: findSubjects(chunk, subjects),
      sentences: parts,
      mentions: findMentions(text, parts, { lexicon }),
      title: title === "" ? null : title,
      date,
      antecedent: findAntecedent(text, chunk.start, lexicon),
    };
  };
}
