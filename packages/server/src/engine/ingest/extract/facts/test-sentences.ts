/** Passages for tests: sentences tagged by the real tagger, with the entities that a test names in place of a model. */

import { DEFAULT_CONFIDENCE_LIMITS } from "../../../../domain/graph.ts";
import { sentences } from "../../../text/sentences.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { findStatements } from "../statements/find-statements.ts";
import { type FoundEntity, nameAt } from "./found-entity.ts";
import type { Passage, PassageSentence } from "./passage.ts";

const tag = createTagger();
const encoded = {
  vector: new Float32Array(0),
  states: new Float32Array(0),
  dimensions: 0,
  starts: [],
  ends: [],
};

export interface TestPassage {
  readonly passage: Passage;
  readonly entities: readonly FoundEntity[];
}

/** `types`: by name as written. Overlapping names: the first listed is taken. */
export function readTestPassage(text: string, types: Readonly<Record<string, string>>): TestPassage {
  const read: PassageSentence[] = [...sentences(text)].map((span, index) => {
    const tokens = tag(text, span);
    const mentions = findEntityMentions(tokens);
    return { ...span, index, tokens, mentions, statements: findStatements(tokens, index), encoded };
  });
  const textOf = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end);
  const passage: Passage = {
    ...{
      start: 0,
      end: text.length,
      textOf,
      sentences: read,
      whole: encoded,
      offset: 0,
      limits: DEFAULT_CONFIDENCE_LIMITS,
      names: [],
      documentSubject: null,
      ...{ heading: "", table: null, documentDate: null },
      antecedent: null,
    },
  };
  const entities = read.flatMap(({ mentions, index }) =>
    Object.entries(types).flatMap(([written, type]) =>
      mentions
        .filter((mention) => textOf(mention) === written)
        .flatMap((mention) => {
          const named = nameAt(passage, mention);
          return named === null ? [] : [{ ...mention, ...named, sentence: index, type, confidence: 0.9 }];
        }),
    ),
  );
  return { passage, entities: entities.sort((a, b) => a.start - b.start) };
}
