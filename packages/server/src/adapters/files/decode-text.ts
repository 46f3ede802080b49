/** Finds the encoding of a text and decodes it. */
import { analyse } from "chardet";

/** Detection looks at this much of a text: more makes no difference and costs time. */
const SAMPLE_BYTES = 64 * 1024;
/** Of the control characters that texts do not contain, at most one in so many bytes. */
const RARE = 500;
/** Fewer zeros in every second byte are chance. */
const LEAST_ZEROS = 3;

/** null = the bytes are not text. @param declared an encoding that the text names itself, of use unless it is wrong */
export function decodeText(bytes: Uint8Array, declared: string | null = null): string | null {
  const marked = byMark(bytes);
  if (marked !== null) return tryDecode(bytes, marked) ?? new TextDecoder(marked).decode(bytes);
  const utf16 = utf16WithoutMark(bytes);
  if (utf16 !== null) return withoutRubbish(tryDecode(bytes, utf16));
  if (isBinary(bytes)) return null;
  // What decodes as UTF-8 and is not ASCII is practically never anything else, whatever is declared.
  const unicode = tryDecodeEscaped(bytes) ?? tryDecode(bytes, "utf-8");
  const named = declared === null || isUtf16(declared) ? null : declared;
  return unicode ?? (named === null ? null : tryDecode(bytes, named)) ?? guess(bytes);
}

/** Byte order marks. */
function byMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : null;
}

/** In UTF-16 every second byte of spaces, digits, line ends and Latin letters is zero. */
function utf16WithoutMark(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  if (bytes.length < 4 || bytes.length % 2 !== 0) return null;
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at++) if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const few = Math.max(LEAST_ZEROS, sample.length / 2 / 20);
  if (odd > few && even * 10 < odd) return "utf-16le";
  return even > few && odd * 10 < even ? "utf-16be" : null;
}

/** Bytes that are no text can have zeros in every second place, too. */
function withoutRubbish(text: string | null): string | null {
  const sample = text?.slice(0, SAMPLE_BYTES) ?? "";
  const controls = sample.match(/[^\P{Cc}\n\r\t\f]/gu)?.length ?? 0;
  return controls > sample.length / RARE ? null : text;
}

function isUtf16(label: string): boolean {
  return /^utf-?16/i.test(label);
}

function isBinary(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let controls = 0;
  for (const byte of sample) {
    if (byte === 0) return true;
    const isKnown = byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 27 || byte === 26;
    if (byte < 32 && !isKnown) controls++;
  }
  return controls > sample.length / RARE;
}

/** ISO-2022-JP is ASCII with escape sequences, so it is valid UTF-8, too. */
function tryDecodeEscaped(bytes: Uint8Array): string | null {
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const at = sample.indexOf(27);
  const next = at < 0 ? undefined : sample[at + 1];
  return next === 0x24 || next === 0x28 ? tryDecode(bytes, "iso-2022-jp") : null;
}

function guess(bytes: Uint8Array): string {
  for (const { name } of analyse(bytes.subarray(0, SAMPLE_BYTES))) {
    const decoded = name === "UTF-8" ? null : tryDecode(bytes, name);
    if (decoded !== null) return decoded;
  }
  return new TextDecoder("windows-1252").decode(bytes);
}

/** null = the encoding is unknown, or the bytes are not text in it. */
function tryDecode(bytes: Uint8Array, label: string): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
