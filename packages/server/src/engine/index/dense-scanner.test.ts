import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createDenseScanner, createPlainScanner, type DenseScanner } from "./dense-scanner.ts";
import { strideOf } from "./format.ts";
import { quantizeVector } from "./quantize.ts";

const dotsOf = (scanner: DenseScanner, rows: Int8Array, query: Int8Array): Int32Array => {
  const out = new Int32Array(rows.length / query.length).fill(-1);
  scanner.dots({ rows, stride: query.length }, query, out);
  return out;
};
const exactDots = (rows: Int8Array, query: Int8Array): Int32Array =>
  Int32Array.from({ length: rows.length / query.length }, (_, row) => {
    let sum = 0;
    for (const [index, component] of query.entries()) sum += component * rows[row * query.length + index]!;
    return sum;
  });
const filled = (length: number, at: (index: number) => number) =>
  Int8Array.from({ length }, (_, index) => at(index));
const noise = (index: number) => ((Math.imul(index, 2654435761) >>> 13) % 255) - 127;

test("held, windowed and plain scans give the exact integers", () => {
  const components = fc.oneof(fc.integer({ min: -127, max: 127 }), fc.constantFrom(-127, 127));
  const cases = fc.record({
    steps: fc.integer({ min: 1, max: 5 }),
    count: fc.integer({ min: 0, max: 9 }),
    values: fc.array(components, { minLength: 1, maxLength: 97 }),
  });
  fc.assert(
    fc.property(cases, ({ steps, count, values }) => {
      const stride = strideOf(steps * 32);
      const query = filled(stride, (index) => values[(index * 7) % values.length]!);
      const rows = filled(stride * count, (index) => values[(index * 13) % values.length]!);
      const scanner = createDenseScanner({ maxBytes: 1 << 19 });
      assert.equal(scanner.arithmetic, "wasm-simd");
      const wanted = exactDots(rows, query);
      assert.deepEqual(dotsOf(scanner, rows, query), wanted);
      assert.ok(scanner.hold({ rows, stride }));
      assert.deepEqual(dotsOf(scanner, rows, query), wanted);
      assert.deepEqual(dotsOf(createPlainScanner(), rows, query), wanted);
    }),
    { numRuns: 100 },
  );
});

test("the greatest products of the longest vectors do not overflow", () => {
  const stride = 16384;
  const rows = filled(stride * 3, (index) => (index < stride ? 127 : -127));
  const query = filled(stride, () => -127);
  const scanner = createDenseScanner({ maxBytes: 1 << 20 });
  assert.deepEqual(
    [...dotsOf(scanner, rows, query)],
    [-127 * 127 * stride, 127 * 127 * stride, 127 * 127 * stride],
  );
});

test("many rows, over many blocks and more than the results have room for at once", () => {
  const rows = filled(32 * 20_011, noise);
  const query = filled(32, noise);
  const scanner = createDenseScanner({ maxBytes: 1 << 20 });
  const wanted = exactDots(rows, query);
  assert.deepEqual(dotsOf(scanner, rows, query), wanted);
  assert.ok(scanner.hold({ rows, stride: 32 }));
  assert.deepEqual(dotsOf(scanner, rows, query), wanted);
});

test("memory is bounded, used again after a release, and what does not fit is scanned all the same", () => {
  const scanner = createDenseScanner({ maxBytes: 1 << 20 });
  const stride = 384;
  const all = Array.from({ length: 6 }, (_, part) =>
    filled(stride * 700, (index) => noise(index + part * 1e6)),
  );
  const query = filled(stride, noise);
  const isHeld = all.map((rows) => scanner.hold({ rows, stride }));
  assert.deepEqual(isHeld, [true, true, true, false, false, false]);
  assert.ok(scanner.heldBytes <= 1 << 20);
  scanner.release({ rows: all[1]!, stride });
  scanner.release({ rows: all[1]!, stride });
  assert.ok(scanner.hold({ rows: all[4]!, stride }));
  assert.ok(!scanner.hold({ rows: all[5]!, stride }));
  for (const rows of all) assert.deepEqual(dotsOf(scanner, rows, query), exactDots(rows, query));
});

test("quantised components are within half a step and reach both ends", () => {
  const components = fc.float32Array({ minLength: 1, maxLength: 40, noNaN: true, min: -4, max: 4 });
  fc.assert(
    fc.property(components, (vector) => {
      const into = new Int8Array(vector.length);
      const scale = quantizeVector(vector, into);
      const largest = Math.max(...vector.map(Math.abs));
      assert.equal(scale, Math.fround(largest / 127));
      if (largest > 1e-30) {
        for (const [index, component] of vector.entries()) {
          assert.ok(Math.abs(into[index]! - (component / largest) * 127) <= 0.5);
        }
        assert.ok(into.some((component) => Math.abs(component) === 127));
      }
    }),
  );
});
