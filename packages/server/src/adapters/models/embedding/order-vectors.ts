import { ProviderFault } from "../language/provider-fault.ts";

type Vector = readonly number[];

/**
 * Puts vectors in the order of their texts: by the member `index` of each item of `data`, as OpenAI's protocol has it. A reply
 * without any is taken to be in order, as Google's protocol promises.
 * @throws ProviderFault unless either no vector has a place or each has one of its own
 */
export function orderVectors(vectors: readonly Vector[], reply: unknown): readonly Vector[] {
  const places = itemsOf(reply).map((item) => (isRecord(item) ? (item["index"] ?? null) : null));
  if (places.length !== vectors.length || places.every((place) => place === null)) return vectors;
  const ordered = new Array<Vector | null>(vectors.length).fill(null);
  for (const [at, vector] of vectors.entries()) {
    const place = places[at];
    if (typeof place !== "number" || ordered[place] === undefined)
      throw fault("it sent a vector for a text that it was not given");
    if (ordered[place] !== null) throw fault("it sent two vectors for one text");
    ordered[place] = vector;
  }
  return ordered.filter((vector) => vector !== null);
}

function itemsOf(reply: unknown): readonly unknown[] {
  const data = isRecord(reply) ? reply["data"] : null;
  return Array.isArray(data) ? data : [];
}

function fault(message: string): ProviderFault {
  return new ProviderFault("unavailable", message);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
