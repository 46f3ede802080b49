/** Symmetric int8 quantization: `value ≈ int8 · scale`, with one scale per vector. */

export const INT8_MAX = 127;

/**
 * Writes the vector's int8 form to `into` and returns its scale, an f32 number. The component with the
 * largest absolute value becomes ±127; a vector of zeros has scale 0. Throws a RangeError if a component is
 * not finite.
 */
export function quantizeVector(vector: Float32Array, into: Int8Array): number {
  let largest = 0;
  for (const component of vector) {
    const size = Math.abs(component);
    if (!(size < Infinity)) throw new RangeError("a vector to index has a component that is not finite");
    if (size > largest) largest = size;
  }
  if (largest === 0) {
    into.fill(0, 0, vector.length);
    return 0;
  }
  for (let index = 0; index < vector.length; index++) {
    into[index] = Math.round(((vector[index] ?? 0) / largest) * INT8_MAX);
  }
  return Math.fround(largest / INT8_MAX);
}

/** Bytes of sign bits of one vector, rounded up to u64 words. */
export function signStrideOf(dimensions: number): number {
  return Math.ceil(dimensions / 64) * 8;
}

/**
 * Writes the signs of an int8 vector: bit i % 8 of byte ⌊i / 8⌋ is 1 if component i is not negative. `into`
 * has `signStrideOf(row.length)` bytes; its bits after the last component are set to 0.
 */
export function packSigns(row: Int8Array, into: Uint8Array): void {
  into.fill(0);
  for (let index = 0; index < row.length; index++) {
    if ((row[index] ?? 0) >= 0) into[index >> 3] = (into[index >> 3] ?? 0) | (1 << (index & 7));
  }
}
