/** The cosine of the angle between two vectors, −1…1, summed in f64 in the order of components; 0 if one is zero. */
export function cosine(one: Float32Array, other: Float32Array): number {
  if (one.length !== other.length) {
    throw new RangeError(`vectors of ${one.length} and ${other.length} dimensions cannot be compared`);
  }
  let dot = 0;
  let oneSquared = 0;
  let otherSquared = 0;
  for (let index = 0; index < one.length; index++) {
    const a = one[index] ?? 0;
    const b = other[index] ?? 0;
    dot += a * b;
    oneSquared += a * a;
    otherSquared += b * b;
  }
  if (oneSquared === 0 || otherSquared === 0) return 0;
  return Math.min(1, Math.max(-1, dot / Math.sqrt(oneSquared * otherSquared)));
}
