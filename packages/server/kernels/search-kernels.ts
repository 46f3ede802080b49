/**
 * The inner loops of the search index, in AssemblyScript; build.ts compiles them to WebAssembly SIMD.
 * Addresses are byte offsets in the imported, shared memory. The host passes all of them; the module has no
 * data section.
 */

/** Row bytes that one iteration of the inner loop processes; every stride is a multiple of this. */
const STEP: usize = 32;

// @ts-expect-error: decorator
@inline
function addProducts(sum: v128, row: v128, question: v128): v128 {
  return i32x4.add(sum, i32x4.dot_i16x8_s(row, question));
}

/** Dot products of four int8 rows with the query, widened to int16; the rows share the loads of the query. */
// @ts-expect-error: decorator
@inline
function dotFour(row0: usize, row1: usize, row2: usize, row3: usize, query: usize, stride: usize): v128 {
  let sum0 = i32x4.splat(0);
  let sum1 = i32x4.splat(0);
  let sum2 = i32x4.splat(0);
  let sum3 = i32x4.splat(0);
  for (const end = query + 2 * stride; query < end; query += 2 * STEP) {
    const part0 = v128.load(query, 0);
    const part1 = v128.load(query, 16);
    const part2 = v128.load(query, 32);
    const part3 = v128.load(query, 48);
    sum0 = addProducts(sum0, v128.load8x8_s(row0), part0);
    sum1 = addProducts(sum1, v128.load8x8_s(row1), part0);
    sum2 = addProducts(sum2, v128.load8x8_s(row2), part0);
    sum3 = addProducts(sum3, v128.load8x8_s(row3), part0);
    sum0 = addProducts(sum0, v128.load8x8_s(row0, 8), part1);
    sum1 = addProducts(sum1, v128.load8x8_s(row1, 8), part1);
    sum2 = addProducts(sum2, v128.load8x8_s(row2, 8), part1);
    sum3 = addProducts(sum3, v128.load8x8_s(row3, 8), part1);
    sum0 = addProducts(sum0, v128.load8x8_s(row0, 16), part2);
    sum1 = addProducts(sum1, v128.load8x8_s(row1, 16), part2);
    sum2 = addProducts(sum2, v128.load8x8_s(row2, 16), part2);
    sum3 = addProducts(sum3, v128.load8x8_s(row3, 16), part2);
    sum0 = addProducts(sum0, v128.load8x8_s(row0, 24), part3);
    sum1 = addProducts(sum1, v128.load8x8_s(row1, 24), part3);
    sum2 = addProducts(sum2, v128.load8x8_s(row2, 24), part3);
    sum3 = addProducts(sum3, v128.load8x8_s(row3, 24), part3);
    row0 += STEP;
    row1 += STEP;
    row2 += STEP;
    row3 += STEP;
  }
  const sums01 = i32x4.add(
    v128.shuffle<i32>(sum0, sum1, 0, 4, 1, 5),
    v128.shuffle<i32>(sum0, sum1, 2, 6, 3, 7),
  );
  const sums23 = i32x4.add(
    v128.shuffle<i32>(sum2, sum3, 0, 4, 1, 5),
    v128.shuffle<i32>(sum2, sum3, 2, 6, 3, 7),
  );
  return i32x4.add(v128.shuffle<i64>(sums01, sums23, 0, 2), v128.shuffle<i64>(sums01, sums23, 1, 3));
}

/**
 * Writes the score of each of `count` listed rows to `scores`. The four rows of an iteration are a quarter of
 * the list apart, so that the processor can prefetch each of the four read streams: processing four adjacent
 * rows takes twice as long.
 */
export function scoreListed(
  rows: usize,
  scales: usize,
  ordinals: usize,
  count: usize,
  stride: usize,
  query: usize,
  scores: usize,
): void {
  const quarter = (count + 3) >> 2;
  for (let place: usize = 0; place < quarter; place++) {
    // If the last quarters are shorter, the last row is scored again.
    const place1 = 4 * min(place + quarter, count - 1);
    const place2 = 4 * min(place + 2 * quarter, count - 1);
    const place3 = 4 * min(place + 3 * quarter, count - 1);
    const ordinal0: usize = load<u32>(ordinals + 4 * place);
    const ordinal1: usize = load<u32>(ordinals + place1);
    const ordinal2: usize = load<u32>(ordinals + place2);
    const ordinal3: usize = load<u32>(ordinals + place3);
    const dots = dotFour(
      rows + ordinal0 * stride,
      rows + ordinal1 * stride,
      rows + ordinal2 * stride,
      rows + ordinal3 * stride,
      query,
      stride,
    );
    let scale = v128.load32_zero(scales + 4 * ordinal0);
    scale = v128.load_lane<f32>(scales + 4 * ordinal1, scale, 1);
    scale = v128.load_lane<f32>(scales + 4 * ordinal2, scale, 2);
    scale = v128.load_lane<f32>(scales + 4 * ordinal3, scale, 3);
    const four = f32x4.mul(f32x4.convert_i32x4_s(dots), scale);
    v128.store_lane<f32>(scores + 4 * place, four, 0);
    v128.store_lane<f32>(scores + place1, four, 1);
    v128.store_lane<f32>(scores + place2, four, 2);
    v128.store_lane<f32>(scores + place3, four, 3);
  }
}

/** Writes the indexes of nonzero mask bytes in `first`…`end` to `ordinals`, which needs room for one more. */
function listAllowed(mask: usize, first: usize, end: usize, ordinals: usize): usize {
  let count: usize = 0;
  for (let ordinal = first; ordinal < end; ) {
    if (end - ordinal >= 8) {
      const flags = load<u64>(mask + ordinal);
      if (flags == 0) {
        ordinal += 8;
        continue;
      }
      if (flags == 0x0101_0101_0101_0101) {
        const lowest = i32x4.splat(i32(ordinal));
        v128.store(ordinals + 4 * count, i32x4.add(lowest, i32x4(0, 1, 2, 3)));
        v128.store(ordinals + 4 * count, i32x4.add(lowest, i32x4(4, 5, 6, 7)), 16);
        count += 8;
        ordinal += 8;
        continue;
      }
    }
    for (const stop = min(ordinal + 8, end); ordinal < stop; ordinal++) {
      store<u32>(ordinals + 4 * count, u32(ordinal));
      count += usize(load<u8>(mask + ordinal) != 0);
    }
  }
  return count;
}

/** Compacts `count` hits in place, in order, to those whose scores reach the floor. Returns their number. */
function keepReached(hits: usize, values: usize, count: usize, floor: f32): usize {
  const floors = f32x4.splat(floor);
  let kept: usize = 0;
  for (let place: usize = 0; place < count; ) {
    const stop = min(place + 4, count);
    if (stop - place == 4 && !v128.any_true(f32x4.ge(v128.load(values + 4 * place), floors))) {
      place = stop;
      continue;
    }
    for (; place < stop; place++) {
      const score = load<f32>(values + 4 * place);
      if (!(score >= floor)) continue;
      store<u32>(hits + 4 * kept, load<u32>(hits + 4 * place));
      store<f32>(values + 4 * kept, score);
      kept++;
    }
  }
  return kept;
}

/** Writes the allowed rows in `first`…`end` whose scores reach the floor. Returns their number. */
export function scanRows(
  rows: usize,
  scales: usize,
  mask: usize,
  first: usize,
  end: usize,
  stride: usize,
  query: usize,
  floor: f32,
  hits: usize,
  values: usize,
): usize {
  const count = listAllowed(mask, first, end, hits);
  scoreListed(rows, scales, hits, count, stride, query, values);
  return keepReached(hits, values, count, floor);
}

/**
 * Writes the allowed rows in `first`…`end` whose fused scores, lexical · sum + dense · score in f64, reach
 * the floor. `scores` is scratch space for all rows' scores. Returns their number.
 */
export function scanFused(
  rows: usize,
  scales: usize,
  mask: usize,
  first: usize,
  end: usize,
  stride: usize,
  query: usize,
  sums: usize,
  lexical: f64,
  dense: f64,
  floor: f64,
  hits: usize,
  scores: usize,
  values: usize,
): usize {
  const count = listAllowed(mask, first, end, hits);
  scoreListed(rows, scales, hits, count, stride, query, scores);
  let kept: usize = 0;
  for (let place: usize = 0; place < count; place++) {
    const ordinal = load<u32>(hits + 4 * place);
    const sum = load<f64>(sums + 8 * usize(ordinal));
    const fused = lexical * sum + dense * f64(load<f32>(scores + 4 * place));
    if (!(fused >= floor)) continue;
    store<u32>(hits + 4 * kept, ordinal);
    store<f64>(values + 8 * kept, fused);
    kept++;
  }
  return kept;
}

/** Postings decoded at a time; their ordinals and frequencies fit into the first-level cache. */
const POSTING_BLOCK: u32 = 1024;

/** The decoder's position: the address of the next byte, and the lowest ordinal that can follow. */
let cursor: usize = 0;
let lowest: u32 = 0;

/** Reads a number of at most 32 bits at the cursor; u64.MAX_VALUE if no such number ends before `end`. */
function readVarint(end: usize): u64 {
  let value: u64 = 0;
  for (let shift: u64 = 0; shift < 35 && cursor < end; shift += 7) {
    const byte = u64(load<u8>(cursor++));
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value <= u64(u32.MAX_VALUE) ? value : u64.MAX_VALUE;
  }
  return u64.MAX_VALUE;
}

/** Decodes a posting of any length. False if it does not end before `end` or its ordinal is out of range. */
function decodeOne(end: usize, chunkCount: u32, ordinal: usize, frequency: usize): bool {
  const code = readVarint(end);
  if (code == u64.MAX_VALUE || code >> 1 >= u64(chunkCount)) return false;
  const times = (code & 1) != 0 ? 1 : readVarint(end);
  if (times == u64.MAX_VALUE) return false;
  lowest += u32(code >> 1);
  store<u32>(ordinal, lowest++);
  store<u32>(frequency, u32(times));
  return lowest <= chunkCount;
}

/** The length in bits of the posting in the low bytes of `word`, whose numbers take one byte each. */
// @ts-expect-error: decorator
@inline
function shortBits(word: u64): u64 {
  return 16 - ((word & 1) << 3);
}

/** Writes a posting of one-byte numbers without a branch: whether it has a frequency is unpredictable. */
// @ts-expect-error: decorator
@inline
function storeShort(word: u64, next: u32, ordinal: usize, frequency: usize): u32 {
  const code = u32(word);
  const once = code & 1;
  next += (code >> 1) & 0x3f;
  store<u32>(ordinal, next);
  store<u32>(frequency, (((code >> 8) & 0x7f) & (once - 1)) | once);
  return next + 1;
}

/** Decodes the next `count` postings of a list that ends at `end`; false if they are damaged. */
function decodeBlock(end: usize, count: u32, chunkCount: u32, ordinals: usize, frequencies: usize): bool {
  const stop = ordinals + 4 * usize(count);
  while (ordinals < stop) {
    if (stop - ordinals >= 16 && end - cursor >= 8) {
      let word = load<u64>(cursor);
      if ((word & 0x8080_8080_8080_8080) == 0) {
        const bits0 = shortBits(word);
        let next = storeShort(word, lowest, ordinals, frequencies);
        word >>= bits0;
        const bits1 = shortBits(word);
        next = storeShort(word, next, ordinals + 4, frequencies + 4);
        word >>= bits1;
        const bits2 = shortBits(word);
        next = storeShort(word, next, ordinals + 8, frequencies + 8);
        word >>= bits2;
        const bits3 = shortBits(word);
        lowest = storeShort(word, next, ordinals + 12, frequencies + 12);
        if (lowest > chunkCount) return false;
        cursor += usize((bits0 + bits1 + bits2 + bits3) >> 3);
        ordinals += 16;
        frequencies += 16;
        continue;
      }
    }
    if (!decodeOne(end, chunkCount, ordinals, frequencies)) return false;
    ordinals += 4;
    frequencies += 4;
  }
  return true;
}

/**
 * Adds a term to the BM25 sums: weight · tf / (tf + base + perToken · length), in f64, in this order of
 * operations. `ordinals` and `frequencies` are scratch space for a block. False, with some postings added, if
 * they are damaged.
 */
export function addTerm(
  start: usize,
  end: usize,
  count: u32,
  chunkCount: u32,
  lengths: usize,
  weight: f64,
  base: f64,
  perToken: f64,
  sums: usize,
  ordinals: usize,
  frequencies: usize,
): bool {
  cursor = start;
  lowest = 0;
  while (count > 0) {
    const size = min(count, POSTING_BLOCK);
    if (!decodeBlock(end, size, chunkCount, ordinals, frequencies)) return false;
    for (let place: usize = 0; place < 4 * usize(size); place += 4) {
      const ordinal = usize(load<u32>(ordinals + place));
      const frequency = f64(load<u32>(frequencies + place));
      const length = f64(load<u32>(lengths + 4 * ordinal));
      const sum = sums + 8 * ordinal;
      store<f64>(sum, load<f64>(sum) + (weight * frequency) / (frequency + base + perToken * length));
    }
    count -= size;
  }
  return cursor == end;
}

/** The number of postings of chunks that the mask allows; -1 if the postings are damaged. */
export function countAllowed(
  start: usize,
  end: usize,
  count: u32,
  chunkCount: u32,
  mask: usize,
  ordinals: usize,
  frequencies: usize,
): i32 {
  cursor = start;
  lowest = 0;
  let allowed = 0;
  while (count > 0) {
    const size = min(count, POSTING_BLOCK);
    if (!decodeBlock(end, size, chunkCount, ordinals, frequencies)) return -1;
    for (let place: usize = 0; place < 4 * usize(size); place += 4) {
      allowed += i32(load<u8>(mask + usize(load<u32>(ordinals + place))) != 0);
    }
    count -= size;
  }
  return cursor == end ? allowed : -1;
}

export function clearSums(sums: usize, chunkCount: usize): void {
  memory.fill(sums, 0, 8 * chunkCount);
}

/** Writes the allowed chunks in `first`…`end` whose sums reach the floor. Returns their number. */
export function listSums(
  sums: usize,
  mask: usize,
  first: usize,
  end: usize,
  floor: f64,
  hits: usize,
  values: usize,
): usize {
  const floors = f64x2.splat(floor);
  let count: usize = 0;
  for (let ordinal = first; ordinal < end; ) {
    const stop = min(ordinal + 8, end);
    const sum = sums + 8 * ordinal;
    if (stop - ordinal == 8) {
      const reached = v128.or(
        v128.or(f64x2.ge(v128.load(sum, 0), floors), f64x2.ge(v128.load(sum, 16), floors)),
        v128.or(f64x2.ge(v128.load(sum, 32), floors), f64x2.ge(v128.load(sum, 48), floors)),
      );
      if (!v128.any_true(reached)) {
        ordinal = stop;
        continue;
      }
    }
    for (; ordinal < stop; ordinal++) {
      const value = load<f64>(sums + 8 * ordinal);
      if (!(value >= floor) || load<u8>(mask + ordinal) == 0) continue;
      store<u32>(hits + 4 * count, u32(ordinal));
      store<f64>(values + 8 * count, value);
      count++;
    }
  }
  return count;
}

/** Bytes that are compared without a loop: all of a vector of 384 dimensions. */
const SIGN_BLOCK: usize = 48;

// @ts-expect-error: decorator
@inline
function differingBits(row: usize, query: usize): u64 {
  const low =
    popcnt<u64>(load<u64>(row) ^ load<u64>(query)) +
    popcnt<u64>(load<u64>(row, 8) ^ load<u64>(query, 8)) +
    popcnt<u64>(load<u64>(row, 16) ^ load<u64>(query, 16));
  const high =
    popcnt<u64>(load<u64>(row, 24) ^ load<u64>(query, 24)) +
    popcnt<u64>(load<u64>(row, 32) ^ load<u64>(query, 32)) +
    popcnt<u64>(load<u64>(row, 40) ^ load<u64>(query, 40));
  return low + high;
}

/**
 * Writes the allowed chunks in `first`…`end` whose signs differ in at most `ceiling` bits. Returns their
 * number.
 */
export function scanSigns(
  signs: usize,
  signStride: usize,
  mask: usize,
  first: usize,
  end: usize,
  query: usize,
  ceiling: i32,
  hits: usize,
  values: usize,
): usize {
  let count: usize = 0;
  let row = signs + first * signStride;
  for (let ordinal = first; ordinal < end; ordinal++, row += signStride) {
    if (load<u8>(mask + ordinal) == 0) continue;
    let distance: u64 = 0;
    let at: usize = 0;
    for (; at + SIGN_BLOCK <= signStride; at += SIGN_BLOCK) distance += differingBits(row + at, query + at);
    for (; at < signStride; at += 8) distance += popcnt<u64>(load<u64>(row + at) ^ load<u64>(query + at));
    store<u32>(hits + 4 * count, u32(ordinal));
    store<i32>(values + 4 * count, i32(distance));
    count += usize(i32(distance) <= ceiling);
  }
  return count;
}
