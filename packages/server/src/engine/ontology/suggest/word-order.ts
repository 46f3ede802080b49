/** Puts the phrases of questions and inversions in the order of statements. */
import { isParticiple } from "./mend-tags.ts";
import { passOver } from "./noun-lists.ts";
import type { Phrase } from "./phrase.ts";

/** Questions in the order of statements: "does it hang" → "it hangs", "have they been lent" → "they have been lent". */
export function straighten(phrases: readonly Phrase[]): readonly Phrase[] {
  const found = [...phrases];
  for (let at = 0; at < found.length; at++) {
    const auxiliary = found[at];
    if (auxiliary?.kind !== "verb" || !auxiliary.isAuxiliary || auxiliary.isInfinitive) continue;
    const before = found[headBefore(found, at - 1)];
    const isAsked =
      before === undefined ||
      auxiliary.lemma === "do" ||
      before.kind !== "noun" ||
      /^wh/.test(before.determiner ?? before.head);
    let from = at + 1;
    while (found[from]?.kind === "adverb") from++;
    if (found[from]?.kind !== "noun" || !isAsked) continue;
    let to = passOver(found, from);
    while (found[to]?.kind === "adverb") to++;
    const verb = found[to];
    if (verb?.kind !== "verb" || verb.isAuxiliary || verb.isGerund) continue;
    const isPassive = verb.isPassive || (auxiliary.lemma === "be" && isParticiple({ lower: verb.surface }));
    found.splice(to, 1, {
      ...verb,
      isPassive,
      isInfinitive: false,
      isNegated: auxiliary.isNegated || verb.isNegated,
    });
    found.splice(at, 1);
  }
  return found;
}

/** "school" of "school of thought". */
function headBefore(phrases: readonly Phrase[], end: number): number {
  const of = phrases[end - 1];
  return of?.kind === "preposition" && of.word === "of" && phrases[end - 2]?.kind === "noun" ? end - 2 : end;
}
