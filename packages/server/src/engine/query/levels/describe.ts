/** Describes nodes of upper levels with verbatim sentences of the texts. */
import type { StoredChunk } from "../../../ports/store.ts";
import { isSpace } from "../../text/blocks.ts";
import { sentences } from "../../text/sentences.ts";
import { endsLikeSentence } from "../quotation.ts";

export interface NodeNames {
  /** The written forms of the node's name, or of its hub's name if it was formed. */
  readonly names: readonly string[];
  /** The written forms of each member's name. */
  readonly members: readonly (readonly string[])[];
}

export const DESCRIPTION_LIMITS = { sentences: 3, units: 600, sentenceUnits: 320 } as const;

/** Score for the node's own name: the first time, and when a chosen sentence has it already. A member: 1. */
const OWN_WEIGHT = 2;
const REPEATED_OWN_WEIGHT = 0.5;
/** A sentence that starts with the node's name is likely to be about it. */
const SUBJECT_BONUS = 0.5;
/** A sentence with such a start refers back: it is used only directly after the sentence before it. */
const REFERS_BACK =
  /^(?:it|he|she|they|this|these|that|those|its|his|her|their|such|both|however|but|and)\b/i;
const MIN_WORDS = 4;

interface Candidate {
  readonly text: string;
  /** Indexes of the names that it contains: 0 for the node, then the members from 1. */
  readonly names: ReadonlySet<number>;
  /** It starts with the node's name. */
  readonly isSubject: boolean;
  /** The preceding sentence if this one refers back to it, else null. */
  readonly before: string | null;
  readonly order: string;
}

/**
 * Chooses sentences greedily by how many names they add to those of the sentences chosen before. Sentences
 * are verbatim and uncut, and each contains a name of the node or of a member.
 */
export function describe({ names, members }: NodeNames, chunks: readonly StoredChunk[]): readonly string[] {
  const forms = [names, ...members];
  let rest = chunks.flatMap((chunk) => candidatesOf(chunk, forms));
  rest = [...new Map(rest.sort(compareOrder).map((each) => [each.text, each])).values()];
  const covered = new Set<number>();
  const taken: string[] = [];
  let units = 0;
  while (taken.length < DESCRIPTION_LIMITS.sentences) {
    const best = chooseNext(
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

/** A sentence without a new name scores only if it contains the node's own name. */
function chooseNext(candidates: readonly Candidate[], covered: ReadonlySet<number>): Candidate | null {
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
  let score = names.has(0) ? (covered.has(0) ? REPEATED_OWN_WEIGHT : OWN_WEIGHT) : 0;
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
      forms.flatMap((ownForms, at) => (ownForms.some((form) => hasWord(sentence, form)) ? [at] : [])),
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

/** Whether the sentence contains the form as whole words, in any case. */
function hasWord(sentence: string, form: string): boolean {
  if (form === "") return false;
  const [text, name] = [sentence.toLowerCase(), form.toLowerCase()];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isWhole = !isWordAt(text, at - 1) && !isWordAt(text, at + name.length);
    if (isWhole) return true;
  }
  return false;
}

function isWordAt(text: string, at: number): boolean {
  const unit = text.charAt(at);
  return unit !== "" && !isSpace(unit.charCodeAt(0)) && /[\p{L}\p{N}]/u.test(unit);
}
