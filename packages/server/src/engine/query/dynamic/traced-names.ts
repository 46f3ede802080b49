/** The names that an answer may be about: those of the question, and those that passages about these led to. */
import { speaksOf } from "../asked-names.ts";
import { namesInQuestion } from "./question-names.ts";
import type { Step } from "./steps.ts";

/**
 * Normal forms; none where the question has none. Of the names that steps followed, those whose sentence has one of these, or whose passage is titled
 * with one: any other name in the passage may be about something else.
 */
export function traceNames(query: string, steps: readonly Step[]): readonly string[] {
  const names = namesInQuestion(query).map(({ name }) => name);
  if (names.length === 0) return [];
  const chunks = steps.flatMap(({ answer }) => answer.chunks);
  for (const { about } of steps) {
    const source = chunks.find(
      ({ versionId, position }) => versionId === about?.from.versionId && position === about.from.position,
    );
    if (about === null || source === undefined) continue;
    const title = source.text.slice(0, source.text.search(/\n|$/u));
    const from = { header: `${source.header ?? ""}\n${title}`, text: about.from.sentence };
    if (speaksOf(names, from)) names.push(about.key);
  }
  return names;
}
