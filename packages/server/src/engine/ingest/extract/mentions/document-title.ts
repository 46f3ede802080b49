/** Finds a document's title as the subject of a sentence: "They Sing Of Harbours is a novel", whatever words the title has. */
import { isFormOfBe, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";

const ASIDE = /\s?\([^()]{1,80}\)$/u;
const OPENING = /^["“«‘'`]{1,2}$/u;
const MAX_TITLE_UNITS = 160;

/** null where the sentence does not begin with the title, or goes on otherwise than with what it is. The title alone is one, too. */
export function titleSubject(tokens: readonly TaggedToken[], title: string): TokenRange | null {
  const whole = spaceless(title.replace(ASIDE, ""));
  if (title.length > MAX_TITLE_UNITS || !/^[\p{Lu}\p{N}]/u.test(whole)) return null;
  const from = OPENING.test(tokens[0]?.text ?? "") ? 1 : 0;
  let to = from;
  let said = "";
  while (said.length < whole.length && to < tokens.length) said += spaceless(tokens[to++]?.text ?? "");
  if (said !== whole) return null;
  const next = tokens[from === 0 ? to : to + 1];
  return next === undefined || isFormOfBe(next) || next.text === "(" ? { from, to } : null;
}

/** The title, if one of the sentences says something of it. */
export function saidTitle(
  sentences: readonly (readonly TaggedToken[])[],
  title: string | null,
): string | null {
  if (title === null) return null;
  const isSaid = sentences.some((tokens) => {
    const subject = titleSubject(tokens, title);
    return subject !== null && subject.to < tokens.length;
  });
  return isSaid ? title : null;
}

/** The tokens with those of the title as one name: "Behave" is no verb in "Oh Billy, Behave is a film". */
export function withTitle(tokens: readonly TaggedToken[], title: string | null): readonly TaggedToken[] {
  const range = title === null ? null : titleSubject(tokens, title);
  if (range === null) return tokens;
  return tokens.map((token, at) => (at >= range.from && at < range.to ? { ...token, tag: "PROPN" } : token));
}

function spaceless(text: string): string {
  return text.replace(/\s/gu, "");
}
