/** Tells passages that speak of what a question names from those that speak of something else. */
import { nameFinder } from "../text/names/normal-form.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";

/** Whether the chunk, what it stands under, or what leads to it has one of the names. `names`: normal forms. */
export function speaksOf(
  names: readonly string[],
  { text, header = "", leadingText = "" }: Pick<SummaryChunk, "text" | "header" | "leadingText">,
): boolean {
  return names.some(nameFinder(`${header}\n${leadingText}\n${text}`));
}

/**
 * Returns a test of the places of chunks in the list: whether no chunk of its document has one of the names although one of another document has. None is
 * a stranger where there are no names or no chunk has one: a question may use another name. The chunks are read when it is first asked.
 */
export function createStrangers(
  names: readonly string[],
  chunks: readonly SummaryChunk[],
): (chunk: number) => boolean {
  if (names.length === 0) return () => false;
  let speaking: ReadonlySet<number> | null = null;
  return (at) => {
    speaking ??= new Set(chunks.filter((chunk) => speaksOf(names, chunk)).map(({ versionId }) => versionId));
    const own = chunks[at]?.versionId;
    return speaking.size > 0 && own !== undefined && !speaking.has(own);
  };
}
