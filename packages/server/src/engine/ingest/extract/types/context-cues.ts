/**
 * Words around a mention, and forms of it, that tell its broad class in any ontology: "works for X", "X was born", "King X",
 * "the X-200". General English, by hand: the sets that the network is learned from are encyclopaedic and have few of them.
 */
import { singular } from "../../../text/type-names.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { titles } from "../mentions/titled-names.ts";
import { isFormOfBe, type TaggedToken } from "../statements/tagged-token.ts";
import { ANCHOR_NOUNS, ANCHORS, type Anchor } from "./anchors.ts";
import data from "./glossary/concepts.json" with { type: "json" };
import { isGivenName } from "./glossary/given-names.ts";
import { BUILDING_NOUNS, INSTITUTION_NOUNS, TRADE_NOUNS } from "./glossary/trade-nouns.ts";

/** Logits for the class that a cue names. */
const gain = { around: 2, form: 1.5, title: 2.5, firm: 4, given: 1 };

type Cues = readonly (readonly [Anchor, ReadonlySet<string>])[];

function cuesOf(lists: Partial<Record<Anchor, string>>): Cues {
  return ANCHORS.map((anchor) => [anchor, new Set(lists[anchor]?.split(", "))] as const);
}

/** Lemmas right before the mention, articles and adjectives left out. */
const before = cuesOf(data.wordsBefore);

/** Lemma of the verb that the mention is subject of, in the passive behind "be". */
const after = cuesOf(data.verbsBehind);

const places = new Set(
  ["location", "organization"].flatMap((anchor) => ANCHOR_NOUNS.get(anchor as Anchor) ?? []),
);

/** Adds what the cues say to a row of logits, one for each of `ANCHORS`. */
export function addContextCues(
  tokens: readonly TaggedToken[],
  mention: EntityMention,
  row: Float32Array,
): void {
  if (mention.kind !== "proper") return;
  const add = (anchor: Anchor, logits: number) => {
    const at = ANCHORS.indexOf(anchor);
    row[at] = row[at]! + logits;
  };
  const [pair, last] = lemmasBefore(tokens, mention.from);
  for (const [anchor, known] of before) if (known.has(pair) || known.has(last)) add(anchor, gain.around);
  const verb = verbAfter(tokens, mention.to);
  for (const [anchor, known] of after) if (known.has(verb)) add(anchor, gain.around);
  if (isTitled(tokens, mention)) add("person", gain.title);
  if (isModel(tokens, mention)) add("product", gain.form);
  if (mention.isFirm) add("organization", gain.firm);
  if (hasGivenName(tokens, mention)) add("person", gain.given);
  if (isDosed(tokens, mention)) add("substance", gain.around);
}

/** The two lemmas before, and the last of them: "work for", "for". */
function lemmasBefore(tokens: readonly TaggedToken[], from: number): readonly [pair: string, last: string] {
  let at = from - 1;
  while (at >= 0 && /^(?:DET|ADJ)$/.test(tokens[at]!.tag)) at--;
  const last = lemmaOf(tokens[at]);
  let first = at - 1;
  while (first >= 0 && tokens[first]!.tag === "ADV") first--;
  return [`${lemmaOf(tokens[first])} ${last}`, last];
}

function verbAfter(tokens: readonly TaggedToken[], to: number): string {
  let at = tokens[to]?.text === "(" ? to + 1 : to;
  let isPassive = false;
  for (let steps = 0; steps < 3; steps++, at++) {
    const token = tokens[at];
    if (token === undefined) return "";
    if (isFormOfBe(token)) isPassive = true;
    else if (token.tag === "VERB")
      return `${isPassive && !/ing$/.test(token.lower) ? "be " : ""}${lemmaOf(token)}`;
    else if (token.tag !== "AUX" && token.tag !== "ADV") return "";
  }
  return "";
}

/** The tagger's lemma of "born" is itself. */
function lemmaOf(token: TaggedToken | undefined): string {
  if (token === undefined) return "";
  return token.lower === "born" ? "bear" : token.lemma.toLowerCase();
}

/** "King Alaric", "Dr. Sotelo", but not "King Street". */
function isTitled(tokens: readonly TaggedToken[], { from, to }: EntityMention): boolean {
  const head = singular(tokens[to - 1]!.lower);
  if (places.has(head) || tokens.slice(from, to).some(({ lower }) => lower === "of")) return false;
  const own = to - from > 1 && titles.has(tokens[from]!.lower);
  const beforeDot = tokens[from - 1]?.text === "." ? tokens[from - 2] : tokens[from - 1];
  return own || titles.has(beforeDot?.lower ?? "");
}

/** "Polaris 300", "Halden HX-20": a name that ends with a number of a series; years and roads have none. */
function isModel(tokens: readonly TaggedToken[], { from, to }: EntityMention): boolean {
  if (to - from < 2) return false;
  const { text } = tokens[to - 1]!;
  if (tokens.slice(from, to).some(({ lower }) => places.has(singular(lower)) || lower === "route"))
    return false;
  const isNumber = /^\d{2,4}$/.test(text) && !/^(?:1[5-9]|20)\d\d$/.test(text);
  return isNumber || (/\d/.test(text) && /\p{Lu}/u.test(text) && /^[\p{L}\d-]{2,8}$/u.test(text));
}

/** "Edmund Tully", but not "Victoria Station", "Anna Foods". */
function hasGivenName(tokens: readonly TaggedToken[], { from, to }: EntityMention): boolean {
  const last = tokens[to - 1]!.lower;
  const isNamed = to - from >= 2 && to - from <= 3 && isGivenName(tokens[from]!.lower);
  if (!isNamed || places.has(singular(last)) || !/^\p{Lu}\p{L}+$/u.test(tokens[to - 1]!.text)) return false;
  const isPlainName = tokens.slice(from, to).every(({ text }) => /^\p{Lu}/u.test(text));
  return isPlainName && ![TRADE_NOUNS, BUILDING_NOUNS, INSTITUTION_NOUNS].some((nouns) => nouns.has(last));
}

/** "Zelotrin 50 mg": with an amount that nothing but medicines and chemicals has. */
function isDosed(tokens: readonly TaggedToken[], { from, to }: EntityMention): boolean {
  const last = tokens[to - 1]!.text;
  const at = to - from > 1 && /^\d/.test(last) ? to : /^\d/.test(tokens[to]?.text ?? "") ? to + 1 : -1;
  return /^(?:mg|mcg|µg|ml|iu)$/.test(tokens[at]?.lower ?? "");
}
