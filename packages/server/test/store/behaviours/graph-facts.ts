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
  proposals: [],
  unfit: [],
};

/**
 * A chunk's facts from its text, parts divided by ";": `Ada` mentions a Person of that name, `City:Bonn` a City, `Ada>knows>Bob`
 * relates, `Ada>>knows>Bob` proposes that, `Ada.born=1815` is a property, `Ada~Countess` an alias, `Ada?A` a candidate, `Poets<Ada`
 * makes Ada a member of the poets, `!Persn` does not fit. `Ada>knows[1990..1995@2001]>Bob` has times: from 1990 to 1995, known in 2001 (each may be left
 * out), and `[…!]` is of a functional type.
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
      const isProposed = right.startsWith(">");
      const [told = "", end = ""] = right.slice(isProposed ? 1 : 0).split(">");
      const [edge = "", percent] = told.split("%");
      const [targetType, targetKey] = keyOf(end);
      const { type: edgeType, ...times } = timesOf(edge);
      const relationship = {
        type: edgeType,
        source: { type, key },
        target: { type: targetType, key: targetKey },
        confidence: percent === undefined ? 0.25 + span.start / 1_000 : Number.parseInt(percent, 10) / 100,
        extractor: "test",
        ...times,
        ...span,
      };
      if (isProposed) facts.proposals.push({ ...relationship, sourceName: left, targetName: end });
      else facts.relationships.push(relationship);
    }
  }
  return facts;
}

function timesOf(edge: string) {
  const match = /^([^[]*)\[([\d-]*)\.\.([\d-]*)(?:@([\d-]+))?(!?)\]$/.exec(edge);
  if (match === null) return { type: edge, validFrom: null, validTo: null };
  const [, type = "", from, to, knownAt = null, sign] = match;
  const timing = { knownAt, isFunctional: sign === "!" };
  return { type, validFrom: from || null, validTo: to || null, timing };
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

/**
 * Like `graphOf`, with facts of such a length that the graph follows in a step for each chunk that mentions a name, or in one
 * for several chunks with fewer mentions.
 */
export function longGraphOf(chunk: EmbeddedChunk, mentions = 240): ChunkGraph {
  const facts = factsOf(chunk.text);
  const more = facts.entities.slice(0, 1).flatMap((first) =>
    Array.from({ length: mentions }, (_, at) => ({
      ...first,
      name: first.name.padEnd(300, "."),
      confidence: 0.1,
      start: 1_000 + at,
      end: 1_001 + at,
    })),
  );
  return { ...graphOf(chunk), facts: { ...facts, entities: [...facts.entities, ...more] } };
}
