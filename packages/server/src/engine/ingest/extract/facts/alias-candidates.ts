/** Supposes other names for what a name names, by the name and its type alone. */

import type { AliasCandidate, EntityKey } from "../../../../domain/graph.ts";
import { connectors, ranks } from "../../../text/names/name-words.ts";
import { headOf, readableName } from "../../../text/type-names.ts";
import { ANCHOR_NOUNS } from "../types/anchors.ts";
import { isPersonType } from "./back-references.ts";
import { shortFormsOf } from "./nicknames.ts";

const corporateSuffixes = new Set(
  (
    "inc incorporated corp corporation co company ltd limited llc llp lp plc gmbh ag kg se sa sas sarl srl spa bv nv oy " +
    "oyj ab asa aps as kk pty pte pvt"
  ).split(" "),
);
const generations = new Set("jr sr ii iii iv junior senior".split(" "));
const smallWords = new Set("of the and for in on at to a an".split(" "));
const MAX_WORDS = 8;
/** First, middle and last names of one person. */
const MAX_NAMES = 5;

/**
 * Shorter forms that name the same thing where a project has them with the same type: for organisations the name without
 * its legal form, for people without rank, with middle names as initials or left out, and with the short form of the first name. Not the initials of
 * organisations, nor a person's initials with the last name alone: too many things share them.
 */
export function findAliasCandidates({ type, key }: EntityKey): readonly AliasCandidate[] {
  const words = key.split(" ");
  if (words.length < 2 || words.length > MAX_WORDS) return [];
  const forms = isPersonType(type) ? personForms(words) : isOrganizationType(type) ? companyForms(words) : [];
  const candidates = new Set(forms.map((form) => form.join(" ")));
  candidates.delete(key);
  candidates.delete("");
  return [...candidates].map((candidate) => ({ type, key, candidate }));
}

/** Whether a normal form ends with the legal form of a company: "acme foods gmbh". */
export function hasLegalForm(key: string): boolean {
  const last = key.slice(key.lastIndexOf(" ") + 1);
  return last !== key && last !== "company" && corporateSuffixes.has(last);
}

function isOrganizationType(type: string): boolean {
  return ANCHOR_NOUNS.get("organization")?.includes(headOf(readableName(type))) === true;
}

type Words = readonly string[];

function companyForms(words: Words): readonly Words[] {
  let to = words.length;
  while (to > 1 && (corporateSuffixes.has(words[to - 1] ?? "") || words[to - 1] === "and")) to--;
  const bare = words.slice(0, to);
  const isName = bare.some((word) => word.length > 2 && !smallWords.has(word));
  const clubs = words
    .join(" ")
    .replace(/\bfootball club\b/, "fc")
    .split(" ");
  return [...(to < words.length && isName ? [bare] : []), clubs];
}

function personForms(words: Words): readonly Words[] {
  const bare = withoutRanks(words);
  const titleless = bare.length < words.length ? [bare] : [];
  const [first, last] = [bare[0], bare.at(-1)];
  const isPlain = !bare.some((word) => connectors.has(word) || generations.has(word) || /\d/.test(word));
  if (first === undefined || last === undefined || bare.length > MAX_NAMES || !isPlain) return titleless;
  const nicknames = shortFormsOf(first).map((short) => [short, last]);
  if (bare.length < 3) return [...titleless, ...nicknames];
  const initials = bare.slice(1, -1).map((name) => name[0] ?? "");
  // Initials in a row are one word in normal forms: "J. R. R. Tolkien".
  const abbreviated = [first, initials.join(""), last];
  const allInitials = [[first[0] ?? "", ...initials].join(""), last];
  const byInitials = first.length > 1 ? [allInitials] : [];
  return [...titleless, [first, last], abbreviated, ...byInitials, ...nicknames];
}

/** "Major General Robert Gruber" without what he is. */
function withoutRanks(words: Words): Words {
  let from = 0;
  while (from < 2 && words.length - from > 2 && ranks.has(words[from] ?? "")) from++;
  return connectors.has(words[from] ?? "") ? words : words.slice(from);
}
