/** Finds amounts by the shape of their tokens. */
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";

const numberWords = new Set(
  "hundred thousand million billion trillion dozen percent % km m kg cm mm miles mile feet ft metres meters kilometres kilometers tons tonnes acres hectares dollars euros pounds years days months weeks hours minutes people inhabitants".split(
    " ",
  ),
);
const currencies = new Set(["$", "£", "€", "¥"]);
const amount = /^\d[\d,.]*$/;

/** The amount with its unit that begins at this token; `to` equals `from` where there is none. */
export function amountAt(tokens: readonly TaggedToken[], from: number): TokenRange {
  let at = from;
  if (currencies.has(tokens[at]?.text ?? "")) at++;
  const token = tokens[at];
  if (token === undefined || (!amount.test(token.text) && token.tag !== "NUM")) return { from, to: from };
  at++;
  while (at - from < 5 && numberWords.has(tokens[at]?.lower ?? "")) at++;
  return { from, to: at };
}
