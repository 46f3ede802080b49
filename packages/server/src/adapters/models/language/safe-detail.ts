/** What may be logged of a provider's text about a failed call. */
import type { ModelRequest } from "../../../ports/language-model.ts";

const KEY = "[key]";
const MAX_READ = 2_000;
const MAX_LENGTH = 300;
/** A common substring of this many characters is not a coincidence. */
const QUOTE_LENGTH = 24;
const KEY_PART_LENGTH = 8;

/** The beginning of the text on one line, without what it quotes of the key, or nothing of it if it quotes the request. */
export function safeDetail(detail: string, request: ModelRequest, apiKey: string | null): string {
  const start = detail.slice(0, MAX_READ);
  if (quotesRequest(start, request)) return "[quotes the request]";
  const shown = apiKey === null ? start : withoutKey(start.replaceAll(apiKey, KEY), apiKey);
  return shown
    .replace(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, MAX_LENGTH);
}

/**
 * Some providers quote a rejected request. It contains texts of documents and questions, which must not be
 * logged.
 */
function quotesRequest(detail: string, { prompt, system }: ModelRequest): boolean {
  for (let at = 0; at + QUOTE_LENGTH <= detail.length; at++) {
    const part = detail.slice(at, at + QUOTE_LENGTH);
    if (prompt.includes(part) || system.includes(part)) return true;
  }
  return false;
}

/** Some providers quote the key that they reject: parts of it, in pieces, backwards or encoded. */
function withoutKey(detail: string, apiKey: string): string {
  const parts = new Set(
    spellings(apiKey)
      .map((text) => lettersOf(text).text)
      .flatMap(partsOf),
  );
  const { text, places } = lettersOf(detail);
  const pieces: string[] = [];
  let end = 0;
  for (const [at, part] of partsOf(text).entries()) {
    if (!parts.has(part)) continue;
    const [first = 0, last = 0] = [places[at], places[at + KEY_PART_LENGTH - 1]];
    // Parts of one place overlap.
    if (first >= end) pieces.push(detail.slice(end, first), KEY);
    end = last + 1;
  }
  return pieces.join("") + detail.slice(end);
}

function spellings(apiKey: string): readonly string[] {
  const both = [apiKey, [...apiKey].reverse().join("")];
  // In Base64 a text looks in three ways, by what is before it.
  const encoded = both.flatMap((key) => ["", "-", "--"].map((before) => inBase64(before, key)));
  return [...both, ...encoded, ...both.map((key) => Buffer.from(key).toString("hex"))];
}

/** Without the characters at both ends that depend on what is around the key. */
function inBase64(before: string, key: string): string {
  const encoded = Buffer.from(before + key)
    .toString("base64")
    .replace(/={1,2}$/, "");
  return encoded.slice(before === "" ? 0 : before.length + 1, -1);
}

/** Separators, quotes and letter case make no other key. */
function lettersOf(text: string): { readonly text: string; readonly places: readonly number[] } {
  const letters = [...text.matchAll(/[A-Za-z0-9]/g)];
  return {
    text: letters.map(([letter]) => letter.toLowerCase()).join(""),
    places: letters.map(({ index }) => index),
  };
}

function partsOf(text: string): readonly string[] {
  const count = Math.max(0, text.length - KEY_PART_LENGTH + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + KEY_PART_LENGTH));
}
