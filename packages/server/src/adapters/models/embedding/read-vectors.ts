import { ProviderFault } from "../language/provider-fault.ts";

/** The direction of a shorter vector is not reliable. */
const MIN_LENGTH = 1e-12;

/**
 * Converts a provider's vectors to unit vectors.
 * @throws ProviderFault "refused" for vectors with other dimensions or without a direction, since a retry
 * would return the same vectors; "unavailable" when their number is wrong
 */
export function readVectors(
  received: readonly (readonly number[])[],
  expected: { readonly count: number; readonly dimensions: number },
): readonly Float32Array[] {
  const { count, dimensions } = expected;
  if (received.length !== count) {
    throw new ProviderFault("unavailable", `it sent ${received.length} vectors for ${count} texts`);
  }
  return received.map((vector) => {
    if (vector.length === dimensions) return toUnitVector(vector);
    const message = `its vectors have ${vector.length} dimensions, but KCS_EMBEDDING_DIMENSIONS is ${dimensions}`;
    throw new ProviderFault("refused", message);
  });
}

function toUnitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length < MIN_LENGTH) {
    throw new ProviderFault("refused", "it sent a vector without a direction");
  }
  return Float32Array.from(vector, (component) => component / length);
}
