import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DamagedSegmentError, MAX_SEGMENT_CHUNKS } from "../format.ts";
import { packSigns, signStrideOf } from "../quantize.ts";
import type { KernelSegment, KernelTerm } from "./kernel-context.ts";
import { openSearchKernels, SCRATCH_BYTES } from "./search-kernels.ts";
import { WASM_PAGE_BYTES, webAssembly } from "./web-assembly.ts";

const pages = 64;
const scratch = WASM_PAGE_BYTES;
/** Bytes after a segment that must not be read as part of it. */
const noiseBytes = 256;
const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
const kernels = openSearchKernels({ memory, scratch });

interface Posting {
  readonly ordinal: number;
  readonly frequency: number;
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

function encode(postings: readonly Posting[]): number[] {
  let next = 0;
  return postings.flatMap(({ ordinal, frequency }) => {
    const code = (ordinal - next) * 2 + (frequency === 1 ? 1 : 0);
    next = ordinal + 1;
    return frequency === 1 ? varint(code) : [...varint(code), ...varint(frequency)];
  });
}

interface Parts {
  readonly dimensions?: number;
  readonly rows?: ArrayLike<number>;
  readonly scales?: ArrayLike<number>;
  readonly lengths?: ArrayLike<number>;
  readonly lists?: readonly (readonly number[])[];
}

/** A segment directly after the scratch area; omitted columns are 0. The surrounding bytes are noise. */
function segmentOf(
  chunkCount: number,
  parts: Parts,
): KernelSegment & { terms: { start: number; end: number }[] } {
  const { dimensions = 32, rows, scales, lengths, lists = [] } = parts;
  const stride = Math.ceil(dimensions / 32) * 32;
  const signStride = signStrideOf(dimensions);
  let end = scratch + SCRATCH_BYTES;
  const place = (bytes: number) => {
    const start = end;
    end = Math.ceil((end + bytes) / 16) * 16;
    return start;
  };
  const { buffer } = memory;
  const postingBytes = lists.flat();
  const segment = {
    chunkCount,
    dimensions,
    stride,
    signStride,
    rows: new Int8Array(buffer, place(chunkCount * stride), chunkCount * stride),
    scales: new Float32Array(buffer, place(4 * chunkCount), chunkCount),
    lengths: new Uint32Array(buffer, place(4 * chunkCount), chunkCount),
    postings: new Uint8Array(buffer, place(postingBytes.length), postingBytes.length),
    signs: new Uint8Array(buffer, place(chunkCount * signStride), chunkCount * signStride),
    terms: lists.map((list, index) => {
      const start = lists.slice(0, index).flat().length;
      return { start, end: start + list.length };
    }),
  };
  new Uint8Array(buffer, scratch + SCRATCH_BYTES, end + noiseBytes - scratch - SCRATCH_BYTES).fill(0xa5);
  segment.rows.fill(0).set(rows ?? []);
  segment.scales.fill(0).set(scales ?? []);
  segment.lengths.fill(0).set(lengths ?? []);
  segment.postings.set(postingBytes);
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const row = Int8Array.from(segment.rows.subarray(chunk * stride, chunk * stride + dimensions));
    packSigns(row, segment.signs.subarray(chunk * signStride, (chunk + 1) * signStride));
  }
  return segment;
}

/** Deterministic pseudo-random numbers. */
function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}
const int8 = (random: () => number) =>
  random() < 0.1 ? (random() < 0.5 ? -128 : 127) : Math.floor(random() * 256) - 128;

function scoreOf({ rows, scales, stride }: KernelSegment, query: Int8Array, ordinal: number): number {
  let dot = 0;
  for (let index = 0; index < stride; index++) dot += rows[ordinal * stride + index]! * query[index]!;
  return Math.fround(Math.fround(dot) * scales[ordinal]!);
}

interface Offered {
  readonly ordinal: number;
  readonly value: number;
}

/** Collects all offers and raises the floor to the `limit`-th best so far. */
function collector(limit: number) {
  const offered: Offered[] = [];
  const best: number[] = [];
  let floor = Number.NEGATIVE_INFINITY;
  const offer = (ordinal: number, value: number): number => {
    offered.push({ ordinal, value });
    best.push(value);
    best.sort((one, other) => other - one);
    best.length = Math.min(best.length, limit);
    if (best.length === limit) floor = best[limit - 1]!;
    return floor;
  };
  return { offered, offer };
}

/** The offers that a collector receives from a plain loop. */
function offersOfPlainLoop(values: readonly number[], mask: Uint8Array | null, limit: number): Offered[] {
  const { offered, offer } = collector(limit);
  let floor = Number.NEGATIVE_INFINITY;
  for (const [ordinal, value] of values.entries()) {
    if ((mask === null || mask[ordinal] !== 0) && value >= floor) floor = offer(ordinal, value);
  }
  return offered;
}

const cases = fc.record({
  chunkCount: fc.oneof(fc.integer({ min: 0, max: 40 }), fc.constantFrom(1023, 1024, 1025, 1029, 2050)),
  dimensions: fc.constantFrom(1, 31, 32, 48, 64, 96, 384, 448),
  seed: fc.nat(),
  share: fc.constantFrom(0, 0.02, 0.5, 0.99, 1, null),
  limit: fc.constantFrom(1, 7, 100, 5000),
});

type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

function caseOf({ chunkCount, dimensions, seed, share }: Case) {
  const random = noise(seed);
  const stride = Math.ceil(dimensions / 32) * 32;
  const component = (index: number) => (index % stride < dimensions ? int8(random) : 0);
  const rows = Array.from({ length: chunkCount * stride }, (_, index) => component(index));
  if (chunkCount > 2) rows.fill(0, stride, 2 * stride);
  const scales = Array.from({ length: chunkCount }, () => (random() < 0.1 ? 0 : random()));
  const query = Int8Array.from({ length: stride }, (_, index) => component(index));
  const mask =
    share === null ? null : Uint8Array.from({ length: chunkCount }, () => (random() < share ? 1 : 0));
  return { segment: segmentOf(chunkCount, { dimensions, rows, scales }), query, mask, random };
}

test("the nearest rows and their scores are bit-identical to those of a plain loop", () => {
  fc.assert(
    fc.property(cases, (options) => {
      const { segment, query, mask } = caseOf(options);
      const scores = Array.from({ length: segment.chunkCount }, (_, ordinal) =>
        scoreOf(segment, query, ordinal),
      );
      kernels.setQuery(query);
      const { offered, offer } = collector(options.limit);
      kernels.nearest(segment, mask, { floor: Number.NEGATIVE_INFINITY, offer });
      assert.deepEqual(offered, offersOfPlainLoop(scores, mask, options.limit));
    }),
    { numRuns: 60 },
  );
});

test("a floor between two f32 numbers admits only scores above it", () => {
  const scales = [0.5, Math.fround(0.5 + 2 ** -24)];
  const segment = segmentOf(2, { rows: [1, ...Array(31).fill(0), 1], scales });
  kernels.setQuery(Int8Array.from({ length: 32 }, () => 1));
  const ordinalsFrom = (floor: number) => {
    const { offered, offer } = collector(9);
    kernels.nearest(segment, null, { floor, offer });
    return offered.map(({ ordinal }) => ordinal);
  };
  assert.deepEqual(ordinalsFrom(0.5 - 2 ** -40), [0, 1]);
  assert.deepEqual(ordinalsFrom(0.5 + 2 ** -40), [1]);
  assert.deepEqual(ordinalsFrom(0.5 + 2 ** -24 - 2 ** -40), [1]);
  assert.deepEqual(ordinalsFrom(0.5 + 2 ** -24 + 2 ** -40), []);
});

test("listed rows have the scores of a plain loop, including the longest and most extreme rows", () => {
  const stride = 16384;
  const rows = new Int8Array(3 * stride).fill(-128, 0, stride).fill(127, stride, 2 * stride);
  const segment = segmentOf(3, { dimensions: stride, rows, scales: [1, 0.3, 1] });
  const query = new Int8Array(stride).fill(-128);
  kernels.setQuery(query);
  const ordinals = [2, 0, 1, 0, 2, ...Array.from({ length: 1030 }, (_, index) => index % 3)];
  const scores = [0, 1, 2].map((ordinal) => scoreOf(segment, query, ordinal));
  assert.deepEqual(
    kernels.scoreRows(segment, ordinals),
    ordinals.map((ordinal) => scores[ordinal]),
  );
  assert.throws(() => kernels.scoreRows(segment, [3]), RangeError);
});

test("sign-bit distances equal those of a plain loop", () => {
  fc.assert(
    fc.property(cases, (options) => {
      const { segment, query, mask } = caseOf(options);
      const distances = Array.from({ length: segment.chunkCount }, (_, ordinal) => {
        const row = segment.rows.subarray(ordinal * segment.stride);
        return query
          .subarray(0, segment.dimensions)
          .filter((component, at) => component >= 0 !== row[at]! >= 0).length;
      });
      kernels.setQuery(query);
      const { offered, offer } = collector(options.limit);
      kernels.nearestSigns(segment, mask, {
        ceiling: Number.POSITIVE_INFINITY,
        offer: (ordinal, distance) => 0 - offer(ordinal, 0 - distance),
      });
      const negated = distances.map((distance) => 0 - distance);
      assert.deepEqual(offered, offersOfPlainLoop(negated, mask, options.limit));
    }),
    { numRuns: 40 },
  );
});

const lists = fc.record({
  chunkCount: fc.constantFrom<number>(1, 9, 200, 1025, 5000),
  seed: fc.nat(),
  shares: fc.array(fc.constantFrom(0, 0.0002, 0.01, 0.2, 1), { minLength: 1, maxLength: 4 }),
  share: fc.constantFrom(0, 0.1, 0.9, null),
  limit: fc.constantFrom(1, 20, 100_000),
});

function postingsOf(chunkCount: number, share: number, random: () => number): Posting[] {
  const frequencies = [1, 1, 1, 1, 2, 5, 127, 128, 300, 20_000, 4_294_967_295];
  return Array.from({ length: chunkCount }, (_, ordinal) => ordinal)
    .filter((ordinal) => ordinal === chunkCount - 1 || random() < share)
    .map((ordinal) => ({ ordinal, frequency: frequencies[Math.floor(random() ** 3 * frequencies.length)]! }));
}

test("BM25 sums, counts and the best chunks are bit-identical to those of a plain loop", () => {
  fc.assert(
    fc.property(lists, ({ chunkCount, seed, shares, share, limit }) => {
      const random = noise(seed);
      const postings = shares.map((some) => postingsOf(chunkCount, some, random));
      const lengths = Array.from({ length: chunkCount }, () => Math.floor(random() * 500));
      const segment = segmentOf(chunkCount, { lengths, lists: postings.map(encode) });
      const terms = postings.map((list, index) => ({
        term: { ...segment.terms[index]!, chunkCount: list.length },
        weight: random() * 9,
      }));
      const saturation = { base: 0.3, perToken: random() / 100 };
      const sums = Array.from({ length: chunkCount }, () => 0);
      for (const [index, { weight }] of terms.entries()) {
        for (const { ordinal, frequency: tf } of postings[index]!) {
          sums[ordinal]! += (weight * tf) / (tf + saturation.base + saturation.perToken * lengths[ordinal]!);
        }
      }
      const mask = share === null ? null : Uint8Array.from(sums, () => (random() < share ? 1 : 0));
      kernels.accumulate(segment, terms, saturation);
      assert.deepEqual(
        sums.map((_, ordinal) => kernels.sumOf(ordinal)),
        sums,
      );
      const { offered, offer } = collector(limit);
      kernels.best(chunkCount, mask, { floor: Number.NEGATIVE_INFINITY, offer });
      const positive = sums.map((sum) => (sum > 0 ? sum : Number.NaN));
      assert.deepEqual(offered, offersOfPlainLoop(positive, mask, limit));
      for (const [index, { term }] of terms.entries()) {
        const visible = postings[index]!.filter(({ ordinal }) => mask === null || mask[ordinal] === 1);
        assert.equal(kernels.countVisible(segment, term, mask), visible.length);
      }
    }),
    {
      numRuns: 25,
      examples: [[{ chunkCount: MAX_SEGMENT_CHUNKS, seed: 7, shares: [1, 0, 0.01], share: 0.9, limit: 20 }]],
    },
  );
});

/** Decodes postings as the format describes them; null if the bytes are invalid. */
function decodeReference(
  bytes: readonly number[],
  { chunkCount, count }: { chunkCount: number; count: number },
) {
  const postings: Posting[] = [];
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let place = 0; place < 5; place++) {
      const byte = bytes[at++];
      if (byte === undefined) return Number.NaN;
      value += (byte & 0x7f) * 128 ** place;
      if (byte < 128) return value < 2 ** 32 ? value : Number.NaN;
    }
    return Number.NaN;
  };
  for (let next = 0; postings.length < count; ) {
    const code = number();
    const frequency = code % 2 === 0 ? number() : 1;
    const ordinal = next + Math.floor(code / 2);
    if (!(ordinal < chunkCount && frequency >= 0)) return null;
    postings.push({ ordinal, frequency });
    next = ordinal + 1;
  }
  return at === bytes.length ? postings : null;
}

/** A copy of the memory that no kernel may write. */
function protectedMemory(): Buffer {
  const segmentBytes = 3 * 16384;
  return Buffer.concat([
    new Uint8Array(memory.buffer, scratch - noiseBytes, noiseBytes),
    new Uint8Array(memory.buffer, scratch + SCRATCH_BYTES, segmentBytes),
  ]);
}

test("any bytes are either decoded or reported as damaged, and nothing but sums is written", () => {
  const byte = fc.oneof(
    fc.integer({ min: 0, max: 255 }),
    fc.integer({ min: 0, max: 9 }),
    fc.constantFrom(1, 128, 255),
  );
  const forged = fc.record({
    bytes: fc.array(byte, { maxLength: 40 }),
    count: fc.integer({ min: 0, max: 30 }),
    chunkCount: fc.constantFrom(30, 64, 70, 1000),
  });
  let intactCount = 0;
  fc.assert(
    fc.property(forged, ({ bytes, count, chunkCount }) => {
      // The list ends before the section does: the bytes after it would be valid postings, too.
      const segment = segmentOf(chunkCount, { lists: [bytes, Array(64).fill(1)] });
      const term: KernelTerm = { ...segment.terms[0]!, chunkCount: count };
      const before = protectedMemory();
      const expected = decodeReference(bytes, { chunkCount, count });
      const accumulate = () => kernels.accumulate(segment, [{ term, weight: 1 }], { base: 1, perToken: 1 });
      if (expected === null) {
        assert.throws(accumulate, DamagedSegmentError);
        assert.throws(() => kernels.countVisible(segment, term, null), DamagedSegmentError);
        assert.throws(() => kernels.sumOf(0), RangeError);
      } else {
        intactCount++;
        accumulate();
        for (const { ordinal, frequency } of expected) {
          assert.equal(kernels.sumOf(ordinal), frequency / (frequency + 1));
        }
        assert.equal(kernels.countVisible(segment, term, null), count);
      }
      assert.ok(before.equals(protectedMemory()));
    }),
    { numRuns: 500, examples: [[{ bytes: [1, 5, 2, 3], count: 3, chunkCount: 30 }]] },
  );
  assert.ok(intactCount > 0);
});

test("lists that are truncated, too long, out of bounds or of too many chunks are reported as damaged", () => {
  const postings = Array.from({ length: 30 }, (_, index) => ({
    ordinal: index * 2,
    frequency: (index % 3) + 1,
  }));
  const segment = segmentOf(59, { lists: [encode(postings)] });
  const { start, end } = segment.terms[0]!;
  const count = (term: KernelTerm) => () => kernels.countVisible(segment, term, null);
  assert.equal(count({ start, end, chunkCount: 30 })(), 30);
  const wrongCounts = [29, 31, 60].map((chunkCount) => ({ start, end, chunkCount }));
  const wrongEnds = [end - 1, end + 1, -1].map((at) => ({ start, end: at, chunkCount: 30 }));
  for (const term of [...wrongCounts, ...wrongEnds, { start: -1, end, chunkCount: 30 }]) {
    assert.throws(count(term), DamagedSegmentError);
  }
  // The postings are complete in memory, but the segment's section ends before them.
  const cut = { ...segment, postings: segment.postings.subarray(0, end - 1) };
  assert.throws(() => kernels.countVisible(cut, { start, end, chunkCount: 30 }, null), DamagedSegmentError);
  const shorter = segmentOf(58, { lists: [encode(postings)] });
  assert.throws(
    () => kernels.countVisible(shorter, { start, end, chunkCount: 30 }, null),
    DamagedSegmentError,
  );
});

test("inconsistent arguments are rejected before anything is read", () => {
  const segment = segmentOf(3, { rows: [1] });
  const offers = { floor: 0, offer: () => 0 };
  kernels.setQuery(new Int8Array(64));
  assert.throws(() => kernels.nearest(segment, null, offers), /does not fit rows/);
  assert.throws(() => kernels.scoreRows(segment, [0]), /does not fit rows/);
  kernels.setQuery(new Int8Array(32));
  assert.throws(() => kernels.nearest(segment, new Uint8Array(2), offers), /mask of 2 chunks/);
  assert.throws(() => kernels.nearest({ ...segment, chunkCount: 4 }, null, offers), RangeError);
  assert.throws(() => kernels.nearest({ ...segment, scales: new Float32Array(3) }, null, offers), RangeError);
  assert.throws(() => kernels.nearest({ ...segment, chunkCount: 1e9 }, null, offers), RangeError);
  assert.throws(() => kernels.setQuery(new Int8Array(33)), RangeError);
  kernels.accumulate(segment, [], { base: 1, perToken: 1 });
  assert.throws(() => kernels.best(4, null, offers), RangeError);
  assert.throws(() => openSearchKernels({ memory, scratch: scratch + 8 }), RangeError);
  assert.throws(
    () => openSearchKernels({ memory, scratch: pages * WASM_PAGE_BYTES - 64 }),
    /does not fit at/,
  );
});
