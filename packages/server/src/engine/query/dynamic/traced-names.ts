/** The names that an answer may be about: those of the question, and those that passages about these led to. */
import type { FollowedName, RankedChunk } from "../../../domain/query.ts";
import { speaksOf } from "../asked-names.ts";
import { hasOuterSubject } from "../quotation.ts";
import { namesInQuestion } from "./question-names.ts";
import type { Step } from "./steps.ts";

/** A longer first line is no title. */
const MAX_TITLE_UNITS = 160;
/** What is read before a sentence that refers back. */
const MAX_BEFORE_UNITS = 300;

/**
 * Normal forms; none where the question has none. Of the names that steps followed, those whose sentence has one of these or refers back to text that has
 * one, or whose passage is titled with one: any other name in the passage may be about something else.
 */
export function traceNames(query: string, steps: readonly Step[]): readonly string[] {
  const names = namesInQuestion(query).map(({ name }) => name);
  if (names.length === 0) return [];
  const chunks = steps.flatMap(({ answer }) => answer.chunks);
  for (const { about } of steps) {
    const source = chunks.find(
      ({ versionId, position }) => versionId === about?.from.versionId && position === about.from.position,
    );
    if (about !== null && source !== undefined && speaksOf(names, placeOf(about.from, source)))
      names.push(about.key);
  }
  return names;
}

/** The sentence with what it stands under and what it refers back to. */
function placeOf({ sentence, start }: FollowedName["from"], { header = "", text, ...source }: RankedChunk) {
  const title = text.slice(0, text.search(/\n|$/u));
  const at = start - source.start;
  const before = hasOuterSubject(sentence) ? text.slice(Math.max(0, at - MAX_BEFORE_UNITS), at) : "";
  return {
    header: title.length <= MAX_TITLE_UNITS ? `${header}\n${title}` : header,
    text: `${before}${sentence}`,
  };
}
