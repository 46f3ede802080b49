/** Tells whether passages say anything of the part that a question asks for: "Who edited Amber Coast?" where they tell of directors alone. */

import { ENGLISH_STOP_WORDS } from "../text/stop-words.ts";
import { createTermFinder } from "../text/term-finder.ts";
import { queryTerms } from "../text/terms.ts";
import { speaksOf } from "./asked-names.ts";
import { namesInQuestion } from "./dynamic/question-names.ts";
import { findRelatedTerms } from "./related-words.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";

/** English: what follows "who" is what was done, up to a name; "order" of "order 4520" is a part of one. */
const WHO_DID =
  /^\s{0,8}[Ww]ho (?<done>(?:\p{Ll}[\p{Ll}-]{1,40} ){0,3}\p{Ll}[\p{Ll}-]{1,40})(?![\p{L}-]| [#№]?\d)/u;

/** Whether neither the words for what somebody did nor related ones stand in the passages about the names of the question, of all passages where none has one. */
export function isRoleUnstated(query: string, chunks: readonly SummaryChunk[]): boolean {
  const done = roleWords(query);
  if (done === "") return false;
  const asked = new Set(queryTerms(done));
  const wanted = new Set([...asked, ...[...findRelatedTerms(asked).values()].flat()]);
  const find = createTermFinder(wanted);
  const names = namesInQuestion(query).map(({ name }) => name);
  const about = names.length === 0 ? [] : chunks.filter((chunk) => speaksOf(names, chunk));
  return (about.length > 0 ? about : chunks).every(
    ({ text, header = "" }) => find(`${header}\n${text}`).size === 0,
  );
}

/** "composed" of "Who composed the music …?"; "must take" of "Who must not take the …?"; nothing of "Who is …?" and of "Who lived longer, Ada or Bo?". */
function roleWords(query: string): string {
  if (/ or \p{Lu}/u.test(query)) return "";
  const words = (WHO_DID.exec(query)?.groups?.["done"] ?? "").split(" ").filter((word) => word !== "not");
  const end = words.findIndex((word) => ENGLISH_STOP_WORDS.has(word));
  return (end < 0 ? words : words.slice(0, end)).join(" ");
}
