/** Asks that a sentence has a word for a relation before the relation is asserted. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { profileEdges } from "../relations/edge-profile.ts";
import { createTriggerStem, wordsOfName } from "../relations/word-forms.ts";
import type { PassageSentence } from "./passage.ts";

/** Of a word that stands for the relation, not one of many that its description has. */
const LEAST_TRIGGER = 0.5;

export type HasSupport = (type: string, sentence: PassageSentence | undefined) => boolean;

/**
 * Whether a word of the sentence is one by which the edge type is told: of its name, its aliases, its examples, or of the notion
 * that they name. Context alone finds a spouse in everybody whom a sentence names beside somebody.
 */
export function createSupport(schema: OntologySchema): HasSupport {
  const stem = createTriggerStem();
  const triggers = new Map(
    profileEdges(schema, stem).map((profile) => {
      const strong = [...profile.triggers]
        .filter(([, weight]) => weight >= LEAST_TRIGGER)
        .map(([word]) => word);
      return [profile.edge.name, new Set([...strong, ...exampleWords(profile.edge.examples, stem)])] as const;
    }),
  );
  return (type, sentence) => {
    const words = triggers.get(type);
    if (words === undefined || sentence === undefined) return false;
    return sentence.tokens.some(({ lower, lemma }) => words.has(stem(lower)) || words.has(stem(lemma)));
  };
}

/** Words of the sentences that state examples, without the names in them. */
function exampleWords(
  examples: OntologySchema["edgeTypes"][number]["examples"],
  stem: (word: string) => string,
): readonly string[] {
  return examples.flatMap(({ source, target, text }) => {
    const names = new Set(`${wordsOfName(source ?? "")} ${wordsOfName(target ?? "")}`.split(" "));
    const words = (text ?? "").split(/[^\p{L}]+/u).filter((word) => word.length > 3 && /^\p{Ll}/u.test(word));
    return words.filter((word) => !names.has(word)).map((word) => stem(word));
  });
}
