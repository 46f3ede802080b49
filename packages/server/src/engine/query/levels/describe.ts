/** Describes what is gathered with sentences of the texts: none is written anew. */
import type { StoredChunk } from "../../../ports/store.ts";
import { isSpace } from "../../text/blocks.ts";
import { sentences } from "../../text/sentences.ts";
import { endsLikeSentence } from "../quotation.ts";

export interface Described {
  /** Written forms of its own name, or of what it was formed around. */
  readonly names: readonly string[];
  /** Written forms of each member's name. */
  readonly members: readonly (readonly string[])[];
}

export const DESCRIPTION_LIMITS = { sentences: 3, units: 600, sentenceUnits: 320 } as const;

/** Its own name says more about a sentence than the name of one member. */
const OWN_WEIGHT = 2;
const KNOWN_WEIGHT = 0.5;
/** A sentence that begins with the name is about it. */
const SUBJECT_BONUS = 0.5;
/** A sentence that begins so is about what was named before: it is told after the sentence before it, or not at all. */
const REFERS_BACK =
  /^(?:it|he|she|they|this|these|that|those|its|his|her|their|such|both|however|but|and)\b/i;
const MIN_WORDS = 4;

interface Candidate {
  readonly text: string;
  /** Places of the names that it has: 0 its own, then the members. */
  readonly names: ReadonlySet<number>;
  /** Begins with the name of what is described. */
  readonly isSubject: boolean;
  /** The sentence before, where this one refers back to it. */
  readonly before: string | null;
  readonly order: string;
}

/**
 * The sentences that name most of what is described, best first, each for what those before have not named. Verbatim; none that
 * is cut, none that names nothing of it.
 */
export function describe({ names, members }: Described, chunks: readonly StoredChunk[]): readonly string[] {
  const forms = [names, ...members];
  let rest = chunks.flatMap((chunk) => candidatesOf(chunk, forms));
  rest = [...new Map(rest.sort(compareOrder).map((each) => [each.text, each])).values()];
  const covered = new Set<number>();
  const taken: string[] = [];
  let units = 0;
  while (taken.length < DESCRIPTION_LIMITS.sentences) {
    const best = bestOf(
      rest.filter(({ before }) => before === null || taken.includes(before)),
      covered,
    );
    if (best === null || units + best.text.length > DESCRIPTION_LIMITS.units) break;
    taken.splice(best.before === null ? taken.length : taken.indexOf(best.before) + 1, 0, best.text);
    units += best.text.length;
    for (const name of best.names) covered.add(name);
    rest = rest.filter((each) => each !== best);
  }
  return taken;
}

/** What names nothing new, nor what is described itself, adds nothing. */
function bestOf(candidates: readonly Candidate[], covered: ReadonlySet<number>): Candidate | null {
  let best: Candidate | null = null;
  let most = 0;
  for (const candidate of candidates) {
    const isNew = [...candidate.names].some((name) => name === 0 || !covered.has(name));
    const score = isNew ? scoreOf(candidate, covered) : 0;
    if (score > most) {
      best = candidate;
      most = score;
    }
  }
  return best;
}

function scoreOf({ names, isSubject }: Candidate, covered: ReadonlySet<number>): number {
  let score = names.has(0) ? (covered.has(0) ? KNOWN_WEIGHT : OWN_WEIGHT) : 0;
  if (isSubject) score += SUBJECT_BONUS;
  for (const name of names) if (name > 0 && !covered.has(name)) score += 1;
  return score;
}

function candidatesOf(
  { text, sourceDocId, start }: StoredChunk,
  forms: readonly (readonly string[])[],
): readonly Candidate[] {
  const found: Candidate[] = [];
  let previous = "";
  for (const span of sentences(text)) {
    const sentence = text
      .slice(span.start, span.end)
      .replace(/^(?:[-*+•>]\s+)+/, "")
      .replace(/\s+/g, " ");
    const before = REFERS_BACK.test(sentence) ? previous : null;
    previous = sentence;
    if (sentence.length > DESCRIPTION_LIMITS.sentenceUnits || !endsLikeSentence(sentence)) continue;
    if (sentence.split(" ").length < MIN_WORDS) continue;
    const names = new Set(
      forms.flatMap((own, at) => (own.some((form) => hasWord(sentence, form)) ? [at] : [])),
    );
    if (names.size === 0) continue;
    found.push({
      text: sentence,
      names,
      isSubject: (forms[0] ?? []).some((form) => beginsWith(sentence, form)),
      before,
      order: `${sourceDocId}\n${String(start + span.start).padStart(12, "0")}`,
    });
  }
  return found;
}

function compareOrder(one: Candidate, other: Candidate): number {
  return one.order < other.order ? -1 : one.order > other.order ? 1 : 0;
}

function beginsWith(sentence: string, form: string): boolean {
  return form !== "" && hasWord(sentence.replace(/^the /i, "").slice(0, form.length + 1), form);
}

/** As whole words, in whatever case. */
function hasWord(sentence: string, form: string): boolean {
  if (form === "") return false;
  const [text, wanted] = [sentence.toLowerCase(), form.toLowerCase()];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const isWhole = !isWordAt(text, at - 1) && !isWordAt(text, at + wanted.length);
    if (isWhole) return true;
  }
  return false;
}

function isWordAt(text: string, at: number): boolean {
  const unit = text.charAt(at);
  return unit !== "" && !isSpace(unit.charCodeAt(0)) && /[\p{L}\p{N}]/u.test(unit);
}
