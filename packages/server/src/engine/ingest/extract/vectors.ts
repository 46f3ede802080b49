/** Vectors of one length. */

/** Unit vectors of texts. */
export type Embed = (text: string) => Promise<Float32Array>;

/** Inner product of vectors of one length; of unit vectors their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}

/**
 * Inner products with each of some rows. Four rows at a time, each summed in the order of `dot`: a sum waits for its last addition, so
 * that four side by side take hardly longer than one.
 */
export function dotAll(vector: Float32Array, rows: readonly Float32Array[]): Float64Array {
  const products = new Float64Array(rows.length);
  const blocked = rows.length - (rows.length % 4);
  for (let row = 0; row < blocked; row += 4) {
    // Below `rows.length`.
    const [a, b, c, d] = [rows[row]!, rows[row + 1]!, rows[row + 2]!, rows[row + 3]!];
    let [ofA, ofB, ofC, ofD] = [0, 0, 0, 0];
    for (let at = 0; at < vector.length; at++) {
      const value = vector[at]!;
      ofA += value * a[at]!;
      ofB += value * b[at]!;
      ofC += value * c[at]!;
      ofD += value * d[at]!;
    }
    products[row] = ofA;
    products[row + 1] = ofB;
    products[row + 2] = ofC;
    products[row + 3] = ofD;
  }
  for (let row = blocked; row < rows.length; row++) products[row] = dot(vector, rows[row]!);
  return products;
}

/** The unit vector of a weighted sum; null of nothing. */
export function meanVector(
  vectors: readonly { readonly vector: Float32Array; readonly weight: number }[],
): Float32Array | null {
  const [first] = vectors;
  if (first === undefined) return null;
  const sum = new Float32Array(first.vector.length);
  for (const { vector, weight } of vectors) {
    for (let at = 0; at < sum.length; at++) sum[at] = sum[at]! + weight * vector[at]!;
  }
  return toUnit(sum);
}

/** Of length 1; zeros stay zeros. */
export function toUnit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map((value) => value / norm);
}

/** Without what it has in common with others, their mean; of unit length. */
export function centred(vector: Float32Array, mean: Float32Array): Float32Array {
  return toUnit(vector.map((value, k) => value - mean[k]!));
}

/** Of length 0 for none. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let k = 0; k < mean.length; k++) mean[k] = mean[k]! + vector[k]! / vectors.length;
  }
  return mean;
}
