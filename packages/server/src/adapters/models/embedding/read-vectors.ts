import { ProviderFault } from "../language/provider-fault.ts";

/** A vector so short has no direction that could be trusted. */
const LEAST_LENGTH = 1e-12;

/**
 * What a provider sent, as unit vectors.
 * @throws ProviderFault "refused" for vectors of another length or without a direction, which come back the same another
 * time; "unavailable" where there are too few or too many of them
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
    const told = `its vectors have ${vector.length} dimensions, and KCS_EMBEDDING_DIMENSIONS says ${dimensions}`;
    throw new ProviderFault("refused", told);
  });
}

function toUnitVector(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  if (!Number.isFinite(length) || length < LEAST_LENGTH) {
    throw new ProviderFault("refused", "it sent a vector that has no direction");
  }
  return Float32Array.from(vector, (component) => component / length);
}
