/** The words by which node types are named and described. */

import type { NodeType } from "../../../../domain/ontology-schema.ts";
import { headOf, readableName, singular } from "../../../text/type-names.ts";
import { isContentWord, type Stem, wordsOfName } from "../relations/word-forms.ts";

const WEIGHTS = { head: 1, name: 0.7, kind: 0.8, description: 0.4 } as const;

/** For each type stem → 0…1; of descriptions the words that no other type's has, those that say its kind before the others. */
export function weighTypeWords(
  nodeTypes: readonly NodeType[],
  stem: Stem,
): readonly ReadonlyMap<string, number>[] {
  const described = nodeTypes.map(({ description }) => {
    const [kind = "", ...rest] = description.split(/\b(?:that|which|who|whose|where|for|from|by|on|at|in)\b/);
    return { kind: stemsIn(kind, stem), rest: stemsIn(rest.join(" "), stem) };
  });
  /** In how many descriptions each word is. */
  const counts = new Map<string, number>();
  for (const { kind, rest } of described)
    for (const word of kind.union(rest)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isOwn = (word: string) => counts.get(word) === 1;
  return nodeTypes.map(({ name, aliases }, at) => {
    const weights = new Map<string, number>();
    const put = (word: string, weight: number) => weights.set(word, Math.max(weights.get(word) ?? 0, weight));
    for (const one of [name, ...aliases]) {
      for (const word of stemsIn(one, stem)) put(word, WEIGHTS.name);
      put(stem(headOf(readableName(one))), WEIGHTS.head);
    }
    for (const word of described[at]?.kind ?? []) if (isOwn(word)) put(word, WEIGHTS.kind);
    for (const word of described[at]?.rest ?? []) if (isOwn(word)) put(word, WEIGHTS.description);
    return weights;
  });
}

function stemsIn(text: string, stem: Stem): ReadonlySet<string> {
  const words = wordsOfName(text).split(" ").filter(isContentWord);
  return new Set(words.map((word) => stem(singular(word))));
}
