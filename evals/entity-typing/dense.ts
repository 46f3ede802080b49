/** Rows times matrices, and their derivatives. Matrices lie row by row; a row has `target.length` or `row.length` numbers. */

/** target += row × matrix; four rows at a time, as the target is then read and written less. */
export function multiplyAdd(row: Float32Array, matrix: Float32Array, target: Float32Array): void {
  const width = target.length;
  const blocked = row.length - (row.length % 4);
  for (let i = 0; i < blocked; i += 4) {
    const a = row[i]!;
    const b = row[i + 1]!;
    const c = row[i + 2]!;
    const d = row[i + 3]!;
    if (a === 0 && b === 0 && c === 0 && d === 0) continue;
    const first = i * width;
    const second = first + width;
    const third = second + width;
    const fourth = third + width;
    for (let k = 0; k < width; k++) {
      const left = a * matrix[first + k]! + b * matrix[second + k]!;
      target[k] = target[k]! + left + (c * matrix[third + k]! + d * matrix[fourth + k]!);
    }
  }
  for (let i = blocked; i < row.length; i++) {
    for (let k = 0; k < width; k++) target[k] = target[k]! + row[i]! * matrix[i * width + k]!;
  }
}

/** The derivative by the row: target += matrix × slope */
export function multiplyAddBack(slope: Float32Array, matrix: Float32Array, target: Float32Array): void {
  const width = slope.length;
  for (let i = 0; i < target.length; i++) {
    const first = i * width;
    let even = 0;
    let odd = 0;
    for (let k = 0; k + 1 < width; k += 2) {
      even += slope[k]! * matrix[first + k]!;
      odd += slope[k + 1]! * matrix[first + k + 1]!;
    }
    if (width % 2 === 1) even += slope[width - 1]! * matrix[first + width - 1]!;
    target[i] = target[i]! + even + odd;
  }
}

/** The derivative by the matrix: gradient += rowᵀ × slope */
export function addOuter(row: Float32Array, slope: Float32Array, gradient: Float32Array): void {
  const width = slope.length;
  for (let i = 0; i < row.length; i++) {
    const value = row[i]!;
    if (value === 0) continue;
    const first = i * width;
    for (let k = 0; k < width; k++) gradient[first + k] = gradient[first + k]! + value * slope[k]!;
  }
}

/** target += source × factor */
export function addScaled(source: Float32Array, factor: number, target: Float32Array): void {
  for (let k = 0; k < target.length; k++) target[k] = target[k]! + source[k]! * factor;
}

export function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let k = 0; k < left.length; k++) sum += left[k]! * right[k]!;
  return sum;
}

export function rowOf(rows: Float32Array, at: number, width: number): Float32Array {
  return rows.subarray(at * width, (at + 1) * width);
}
