/**
 * Reads questions for the time or place of a birth or a death, and whether a passage gives it in brackets behind the name: "Karla Moss (6 June 1906,
 * Velden – 2 November 1994, Orsk) was …". No word there says "born" or "died", so that a reader may find nothing. English only.
 */
import { sentencesAbout } from "./dynamic/find-year.ts";
import { namesInQuestion } from "./dynamic/question-names.ts";
import { bracketedLife } from "./dynamic/stated-year.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";

interface AskedLife {
  readonly event: "born" | "died";
  readonly isPlace: boolean;
}

const BIRTH = /\b(?:born|birth|birthplace|birthday)\b/iu;
const DEATH = /\b(?:die|died|death)\b/iu;
const PLACE =
  /\b(?:where|birthplace|places? of|(?:which|what) (?:place|city|town|village)|(?:city|town|village) of (?:birth|death))\b/iu;
const TIME = /\b(?:when|birthday|dates? of|years? of|(?:which|what) (?:year|date|day))\b/iu;
/** What is no place beside a date. */
const DATE_WORDS =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Born|Died|Circa|Old Style|New Style)\b/gu;
const PLACE_NAME = /\p{Lu}\p{L}{2,}/u;

/** null for any other question, also for one about both or about how somebody died. */
function readAskedLife(query: string): AskedLife | null {
  const [isBirth, isDeath] = [BIRTH.test(query), DEATH.test(query)];
  const [isPlace, isTime] = [PLACE.test(query), TIME.test(query)];
  if (isBirth === isDeath || isPlace === isTime) return null;
  return { event: isBirth ? "born" : "died", isPlace };
}

/** Whether a chunk gives it of one of the names in the question. */
export function statesAskedLife(query: string, chunks: readonly SummaryChunk[]): boolean {
  const asked = readAskedLife(query);
  if (asked === null) return false;
  const names = namesInQuestion(query).map(({ start, end }) => query.slice(start, end));
  return chunks.some((chunk) => names.some((name) => states(chunk, name, asked)));
}

function states(chunk: SummaryChunk, name: string, { event, isPlace }: AskedLife): boolean {
  const last = name.split(" ").at(-1) ?? name;
  if (!chunk.text.includes("(") || !chunk.text.includes(last)) return false;
  for (const sentence of sentencesAbout(chunk, name)) {
    const told = bracketedLife(sentence, name)?.[event] ?? null;
    if (told !== null && (!isPlace || PLACE_NAME.test(told.replace(DATE_WORDS, "")))) return true;
  }
  return false;
}
