/** Facts in few words, for the behaviours of the ledger. */
import type { EmbeddedChunk } from "../../../src/domain/document.ts";
import type { ChunkFacts } from "../../../src/domain/graph.ts";
import type { ChunkGraph } from "../../../src/ports/graph-store.ts";

export const noFacts: Required<ChunkFacts> = {
  entities: [],
  relationships: [],
  properties: [],
  aliases: [],
  candidates: [],
  members: [],
  unfit: [],
};

/**
 * A chunk's facts from its text, parts divided by ";": `Ada` mentions a Person of that name, `City:Bonn` a City, `Ada>knows>Bob`
 * relates, `Ada.born=1815` is a property, `Ada~Countess` an alias, `Ada?A` a candidate, `Poets<Ada`
 * makes Ada a member of the poets, `!Persn` does not fit.
 */
export function factsOf(text: string): ChunkFacts {
  const facts = structuredClone(noFacts) as {
    -readonly [K in keyof ChunkFacts]-?: Required<ChunkFacts>[K][number][];
  };
  let start = 0;
  for (const part of text.split(";")) {
    const span = { start, end: start + part.length };
    start = span.end + 1;
    const [, left = "", sign = "", right = ""] = /^([^>.~?!<]*)([>.~?!<]?)(.*)$/.exec(part) ?? [];
    const [type, key] = keyOf(left);
    const other = keyOf(right)[1];
    if (sign === "") {
      facts.entities.push({
        type,
        key,
        name: left.split(":").at(-1) ?? "",
        confidence: 0.5 + start / 1_000,
        ...span,
      });
    } else if (sign === "~") facts.aliases.push({ type, key, alias: other, ...span });
    else if (sign === "?") facts.candidates.push({ type, key, candidate: other });
    else if (sign === "<") facts.members.push({ parent: { type, key }, member: memberOf(right), ...span });
    else if (sign === "!") {
      facts.unfit.push({
        kind: "entity",
        sourceType: "",
        name: right,
        targetType: "",
        count: 1,
        example: part,
      });
    } else if (sign === ".") {
      const [property = "", value = ""] = right.split("=");
      facts.properties.push({ entity: { type, key }, property, value, ...span });
    } else {
      const [edge = "", end = ""] = right.split(">");
      const [targetType, targetKey] = keyOf(end);
      facts.relationships.push({
        type: edge,
        source: { type, key },
        target: { type: targetType, key: targetKey },
        confidence: 0.25 + span.start / 1_000,
        extractor: "test",
        validFrom: null,
        validTo: null,
        ...span,
      });
    }
  }
  return facts;
}

function keyOf(name: string): readonly [type: string, key: string] {
  const [first = "", second] = name.split(":");
  return second === undefined ? ["Person", first.toLowerCase()] : [first, second.toLowerCase()];
}

function memberOf(name: string) {
  const [type, key] = keyOf(name);
  return { type, key };
}

export function graphOf(chunk: EmbeddedChunk): ChunkGraph {
  return { position: chunk.position, passage: null, subjects: [], facts: factsOf(chunk.text) };
}
