/** Hears what a text calls a name: "the X trial", "permit X", "X, a fish bar". */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { readableName, singular } from "../../../text/type-names.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import type { WordVectors } from "../relations/word-vectors.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import { weighTypeWords } from "../types/type-words.ts";
import type { Embed } from "../vectors.ts";
import { dot } from "../vectors.ts";

/** Least cosine of a noun and a type's name from which they are of a kind. */
const LEAST_LIKENESS = 0.5;
const REACH = 8;

/** For each node type 0…1: how far the nouns beside the name say that it is one. */
export type HearKind = (nouns: readonly TaggedToken[]) => readonly number[];

export async function createKindHearing(
  { nodeTypes }: OntologySchema,
  { embed, vectors }: { readonly embed: Embed; readonly vectors: WordVectors },
): Promise<HearKind> {
  const stem = createTriggerStem();
  const words = weighTypeWords(nodeTypes, stem);
  const names: Float32Array[] = [];
  for (const { name } of nodeTypes) names.push(await embed(readableName(name)));
  const hear = ({ lemma, lower }: TaggedToken, type: number) => {
    const own = words[type];
    const said = Math.max(own?.get(stem(lemma)) ?? 0, own?.get(stem(singular(lower))) ?? 0);
    const [vector, name] = [vectors.find(lemma), names[type]];
    const like = vector === null || name === undefined ? 0 : dot(vector, name);
    return Math.max(said, like > LEAST_LIKENESS ? like : 0);
  };
  return (nouns) =>
    nodeTypes.map((_, type) => nouns.reduce((best, noun) => Math.max(best, hear(noun, type)), 0));
}

/** The nouns beside a name that may say what it is. */
export function kindNouns(tokens: readonly TaggedToken[], { from, to }: TokenRange): readonly TaggedToken[] {
  const found: TaggedToken[] = [];
  const [next, second] = [tokens[to], tokens[to + 1]];
  if (isNoun(next)) found.push(next, ...(isNoun(second) ? [second] : []));
  const before = tokens[from - 1];
  if (isNoun(before)) found.push(before);
  const opensAside = next?.text === "," && /^(?:an?|the|its?)$/.test(second?.lower ?? "");
  const opensDefinition = /^(?:is|was)$/.test(next?.lower ?? "") && /^(?:an?|the)$/.test(second?.lower ?? "");
  if (!opensAside && !opensDefinition) return found;
  let at = to + 2;
  while (at < to + REACH && isOfPhrase(tokens[at])) at++;
  const head = tokens.slice(to + 2, at).findLast(({ tag }) => tag === "NOUN");
  return head === undefined ? found : [...found, head];
}

function isNoun(token: TaggedToken | undefined): token is TaggedToken {
  return (
    token !== undefined && (token.tag === "NOUN" || (token.tag === "ADJ" && /^\p{Ll}{4,}$/u.test(token.text)))
  );
}

function isOfPhrase(token: TaggedToken | undefined): boolean {
  return token !== undefined && token.text !== "," && /^(?:NOUN|ADJ|PROPN|NUM|PUNCT)$/.test(token.tag);
}
