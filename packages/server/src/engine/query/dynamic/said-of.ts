/** Tells of whom an English sentence says something: of the thing that a step asks about, or of somebody else whom it names. */
import { normalizeName } from "../../text/names/normal-form.ts";

const NAME = String.raw`\p{Lu}[\p{L}.'’-]{0,40}(?: (?:(?:de|da|di|la|le|van|von|der|den|of) ){0,2}\p{Lu}[\p{L}.'’-]{0,40}){0,5}`;
/** "Brill, who was born in": up to the end of the clause it is said of Brill. */
const CLAUSE = new RegExp(`(?<name>${NAME}),? (?:who|whose|which)(?: [^,;:]{0,120})?$`, "u");
/** "Her brother Noel Garrick was born in", "Noel Garrick, a reviewer, was born in". */
const SUBJECT = new RegExp(
  `^(?:(?:His|Her|Its|Their)(?: \\p{Ll}[\\p{Ll}-]{0,40}){1,3},? (?<relative>${NAME})|(?<other>${NAME} ${NAME}))(?=,? \\p{Ll})`,
  "u",
);
const PRONOUN = /\b(?:he|she|it|they)\b/iu;

/**
 * `before`: the sentence up to what it says; `name`: a normal form, of which the last word is enough. `opens`: nothing stands before the
 * sentence, so that it may give the thing another name.
 */
export function isSaidOfOther(
  before: string,
  { name, opens }: { readonly name: string; readonly opens: boolean },
): boolean {
  const last = name.split(" ").at(-1) ?? name;
  const isThing = (text: string) => ` ${normalizeName(text)} `.includes(` ${last} `);
  const clause = CLAUSE.exec(before)?.groups?.["name"];
  if (clause !== undefined) return !isThing(clause);
  if (isThing(before)) return false;
  const { relative, other } = SUBJECT.exec(before)?.groups ?? {};
  const subject = relative ?? (opens ? undefined : other);
  return subject !== undefined && !PRONOUN.test(before.slice(before.indexOf(subject) + subject.length));
}
