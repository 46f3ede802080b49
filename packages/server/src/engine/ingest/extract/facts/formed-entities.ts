/** Reads entities whose form tells them: identifiers, shapes such as addresses, and titles that a sentence calls a work. */

import { type Span, UNTYPED } from "../../../../domain/graph.ts";
import { findIdentifiers, findShapedNames } from "../mentions/shaped-names.ts";
import { spanOf } from "../statements/tagged-token.ts";
import { findWorkTitle } from "./definitions.ts";
import { nameAt, type PossibleEntity } from "./found-entity.ts";
import { OPEN_TYPES } from "./open-types.ts";
import type { Passage, PassageSentence } from "./passage.ts";

/** Surer than what the words around a name say. */
const SHAPED_CONFIDENCE = 0.9;

export function shapedEntities(
  sentence: PassageSentence,
  { passage, small }: { readonly passage: Passage; readonly small: ReadonlySet<string> },
): readonly PossibleEntity[] {
  const products = sentence.tokens.flatMap(({ text, start, end }) => {
    return small.has(text)
      ? [{ type: "Product", start: start - sentence.start, end: end - sentence.start }]
      : [];
  });
  return [...findShapedNames(passage.textOf(sentence)), ...products].flatMap(({ type, ...span }) =>
    formedEntity(type, span, { passage, sentence }),
  );
}

export function identifiedEntities(passage: Passage, sentence: PassageSentence): readonly PossibleEntity[] {
  return findIdentifiers(passage.textOf(sentence)).flatMap((span) =>
    formedEntity(UNTYPED, span, { passage, sentence }),
  );
}

/** `span`: in the sentence; nothing where the name has no words. */
function formedEntity(
  type: string,
  span: Span,
  { passage, sentence }: { readonly passage: Passage; readonly sentence: PassageSentence },
): readonly PossibleEntity[] {
  const { start, index, tokens } = sentence;
  const place = { start: start + span.start, end: start + span.end };
  const range = rangeOf(tokens, place);
  const named = nameAt(passage, place);
  if (named === null || range === null) return [];
  const mention = { ...place, ...range, kind: "proper" as const, variantOf: null };
  const confidence = SHAPED_CONFIDENCE;
  return [{ ...mention, ...named, sentence: index, type, confidence, shares: oneHot(type, 1), isSure: true }];
}

/** The title of a work that the sentence begins with; without its article where no mark is before it and the name finder sees it so. `whole`: the spans of its names, as `spanKey` writes them. */
export function workEntities(
  sentence: PassageSentence,
  { passage, whole }: { readonly passage: Passage; readonly whole: ReadonlySet<string> },
): readonly PossibleEntity[] {
  const title = findWorkTitle(sentence.tokens);
  if (title === null) return [];
  const { start, end } = spanOf(sentence.tokens, title);
  const hasArticle = /^(?:the|an?)$/.test(sentence.tokens[0]?.lower ?? "");
  const bare = sentence.tokens[title.from + 1]?.start ?? start;
  const from = hasArticle && whole.has(spanKey({ start: bare, end })) ? bare : start;
  const span = { start: from - sentence.start, end: end - sentence.start };
  return formedEntity("Work", span, { passage, sentence }).map((entity) => ({ ...entity, isDefined: true }));
}

/** The tokens that the span touches; null where there is none. */
export function rangeOf(tokens: PassageSentence["tokens"], { start, end }: Span) {
  const from = tokens.findIndex((token) => token.end > start);
  const to = tokens.findLastIndex((token) => token.start < end) + 1;
  return from < 0 || to <= from ? null : { from, to };
}

export function spanKey({ start, end }: Span): string {
  return `${start} ${end}`;
}

export function oneHot(type: string, share: number): Float32Array {
  return Float32Array.from(OPEN_TYPES, (open) => (open === type ? share : 0));
}
