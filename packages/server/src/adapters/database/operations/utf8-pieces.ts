/**
 * Cuts UTF-8 that arrives in parts where a character begins, so that the pieces decoded one by one are the text decoded at once,
 * also where bytes are no UTF-8. `TextDecoder` with `stream` would do that as well, but takes several times as long and makes
 * strings of two bytes a character.
 */
export async function* utf8Pieces(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  for await (const part of parts) {
    const bytes = rest.length === 0 ? part : concat(rest, part);
    const end = lastStart(bytes);
    rest = bytes.slice(end);
    if (end > 0) yield bytes.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

/** A character has three continuation bytes at most: behind more of them, none is unfinished. */
const MAX_CONTINUATIONS = 3;

/** Where the last character begins, which may be unfinished; the end where no character can be. */
function lastStart(bytes: Uint8Array): number {
  const first = Math.max(0, bytes.length - 1 - MAX_CONTINUATIONS);
  for (let at = bytes.length - 1; at >= first; at--) {
    if (((bytes[at] ?? 0) & 0b1100_0000) !== 0b1000_0000) return at;
  }
  return bytes.length;
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
