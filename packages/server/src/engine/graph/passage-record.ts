/**
 * The binary record of a chunk's passage knowledge: a version; counts; the distinct names and frames as one
 * text, and their lengths; spans as differences; then the sentence vectors. All numbers are unsigned LEB128,
 * differences are zigzag-encoded.
 */
import type {
  Mention,
  PassageKnowledge,
  Sentence,
  Span,
  Statement,
  Subject,
  SubjectKind,
} from "../../domain/graph.ts";
import { type ByteWriter, createByteWriter, createVarintReader, type VarintReader } from "../index/varint.ts";

/** Incremented by every change of the layout; records of other versions are decoded as null. */
const FORMAT_VERSION = 1;
const SUBJECT_KINDS: readonly SubjectKind[] = ["title", "alias", "section", "opening"];
const IS_VARIANT = 1;
const IS_NEGATED = 1;
const IS_HEDGED = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Spans may have any order and any offsets in 0…2³⁰. Lone surrogates in names become U+FFFD.
 * @throws RangeError if the vectors are not one row of equal length for each sentence
 */
export function encodePassage(knowledge: PassageKnowledge): Uint8Array {
  const { subjects, sentences, sentenceVectors, mentions, statements } = knowledge;
  const dimensions = sentences.length === 0 ? 0 : sentenceVectors.length / sentences.length;
  if (!Number.isInteger(dimensions) || dimensions * sentences.length !== sentenceVectors.length) {
    throw new RangeError("Sentence vectors must be one row of equal length for each sentence.");
  }
  const strings = new Map<string, number>();
  const indexOf = (written: string): number => {
    // Two adjacent lone surrogates in the joined text would become a pair.
    const text = written.toWellFormed();
    const known = strings.get(text) ?? strings.size;
    strings.set(text, known);
    return known;
  };
  const body = createByteWriter();
  for (const { name, kind } of subjects) {
    body.varint(indexOf(name));
    body.varint(SUBJECT_KINDS.indexOf(kind));
  }
  const spans = createSpanWriter(body);
  for (const sentence of sentences) spans.write(sentence);
  for (const mention of mentions) {
    body.varint(indexOf(mention.name));
    body.varint(mention.sentence);
    body.varint(mention.isVariant ? IS_VARIANT : 0);
    spans.write(mention);
  }
  for (const statement of statements) {
    body.varint(indexOf(statement.frame));
    body.varint(statement.sentence);
    body.varint((statement.isNegated ? IS_NEGATED : 0) | (statement.isHedged ? IS_HEDGED : 0));
    for (const span of [statement.subject, statement.verb, statement.object]) spans.write(span);
  }
  const counts = [subjects.length, sentences.length, mentions.length, statements.length, dimensions];
  return joinRecord(counts, { strings: [...strings.keys()], body, vectors: sentenceVectors });
}

function joinRecord(
  counts: readonly number[],
  parts: { strings: readonly string[]; body: ByteWriter; vectors: Int8Array },
): Uint8Array {
  const { strings, body, vectors } = parts;
  const writer = createByteWriter();
  const texts = encoder.encode(strings.join(""));
  writer.varint(FORMAT_VERSION);
  for (const count of [...counts, strings.length, texts.length]) writer.varint(count);
  for (const text of strings) writer.varint(text.length);
  writer.raw(texts, 0, texts.length);
  writer.raw(body.written(), 0, body.length);
  const head = writer.written();
  const bytes = new Uint8Array(head.length + vectors.length);
  bytes.set(head);
  bytes.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.length), head.length);
  return bytes;
}

/**
 * Returns null for damaged bytes and for another version of the format. Time and memory are bounded by the
 * length of the bytes.
 */
export function decodePassage(bytes: Uint8Array): PassageKnowledge | null {
  const reader = createVarintReader(bytes, 0);
  if (reader.next() !== FORMAT_VERSION) return null;
  const counts = readCounts(reader);
  // Every counted item takes at least one byte, so damaged counts cannot cause large allocations.
  const minimumBytes =
    counts.subjects + counts.sentences + counts.mentions + counts.statements + counts.strings;
  if (minimumBytes + counts.textBytes + counts.sentences * counts.dimensions > bytes.length) return null;
  const strings = readStrings(reader, { bytes, count: counts.strings, textBytes: counts.textBytes });
  if (strings === null) return null;
  const spans = createSpanReader(reader);
  let isValid = true;
  const stringAt = (place: number): string => {
    const text = strings[place];
    isValid &&= text !== undefined;
    return text ?? "";
  };
  const sentenceAt = (place: number): number => {
    isValid &&= place < counts.sentences;
    return place;
  };
  const subjects = list(counts.subjects, (): Subject => {
    const name = stringAt(reader.next());
    const kind = SUBJECT_KINDS[reader.next()];
    isValid &&= kind !== undefined;
    return { name, kind: kind ?? "opening" };
  });
  const sentences = list(counts.sentences, (): Sentence => spans.read());
  const mentions = list(counts.mentions, (): Mention => {
    const name = stringAt(reader.next());
    const sentence = sentenceAt(reader.next());
    const isVariant = reader.next() === IS_VARIANT;
    return { name, sentence, isVariant, ...spans.read() };
  });
  const statements = list(counts.statements, (): Statement => {
    const frame = stringAt(reader.next());
    const sentence = sentenceAt(reader.next());
    const flags = reader.next();
    const [subject, verb, object] = [spans.read(), spans.read(), spans.read()];
    const isNegated = (flags & IS_NEGATED) !== 0;
    return { sentence, subject, verb, object, frame, isNegated, isHedged: (flags & IS_HEDGED) !== 0 };
  });
  const vectorBytes = counts.sentences * counts.dimensions;
  if (!isValid || !spans.isValid() || reader.at + vectorBytes !== bytes.length) return null;
  const sentenceVectors = new Int8Array(bytes.buffer, bytes.byteOffset + reader.at, vectorBytes);
  return { subjects, sentences, sentenceVectors, mentions, statements };
}

function readCounts(reader: VarintReader) {
  const next = () => reader.next();
  return {
    subjects: next(),
    sentences: next(),
    mentions: next(),
    statements: next(),
    dimensions: next(),
    strings: next(),
    textBytes: next(),
  };
}

/**
 * All strings are decoded as one text that is then split: a decoder call per name would take longer than
 * everything else.
 */
function readStrings(
  reader: VarintReader,
  input: { bytes: Uint8Array; count: number; textBytes: number },
): readonly string[] | null {
  const lengths = list(input.count, () => reader.next());
  const end = reader.at + input.textBytes;
  if (end > input.bytes.length) return null;
  const text = decodeText(input.bytes.subarray(reader.at, end));
  reader.at = end;
  if (text === null || lengths.reduce((sum, length) => sum + length, 0) !== text.length) return null;
  let start = 0;
  return lengths.map((length) => {
    start += length;
    return text.slice(start - length, start);
  });
}

function decodeText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null; // The decoder throws on bytes that are no UTF-8, and on nothing else.
  }
}

function list<T>(count: number, make: () => T): T[] {
  const made: T[] = [];
  for (let at = 0; at < count; at++) made.push(make());
  return made;
}

/** Encodes a start as the difference from the previous start, and an end as the difference from its start. */
function createSpanWriter(into: ByteWriter) {
  let previousStart = 0;
  const signed = (value: number) => into.varint(value < 0 ? -2 * value - 1 : 2 * value);
  return {
    write({ start, end }: Span): void {
      signed(start - previousStart);
      signed(end - start);
      previousStart = start;
    },
  };
}

function createSpanReader(reader: VarintReader) {
  let previousStart = 0;
  let isValid = true;
  const signed = () => {
    const value = reader.next();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  return {
    read(): Span {
      const start = previousStart + signed();
      const end = start + signed();
      isValid &&= start >= 0 && end >= 0;
      previousStart = start;
      return { start, end };
    },
    isValid: () => isValid,
  };
}
