/** Scales, turns and moves: x' = a·x + c·y + e, y' = b·x + d·y + f. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** What the inner one moves, moved by the outer one. */
export function combine([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
}

/** The identity in place of anything else than six numbers. */
export function matrixOf(value: unknown): Matrix {
  const isList = Array.isArray(value) || ArrayBuffer.isView(value);
  const numbers = isList ? Array.from(value as ArrayLike<unknown>, Number) : [];
  const isMatrix = numbers.length === 6 && numbers.every(Number.isFinite);
  return isMatrix ? (numbers as unknown as Matrix) : IDENTITY;
}
