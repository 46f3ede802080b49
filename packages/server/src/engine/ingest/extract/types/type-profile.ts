/** What is known of a node type before any text is read: a direction in the space of meanings, and its broad classes. */

import { headOf, readableName, singular } from "../../../text/type-names.ts";
import { centred, dot, type Embed, meanOf, toUnit } from "../vectors.ts";
import { ANCHOR_NOUNS, ANCHORS, KIN } from "./anchors.ts";
import { spelledName } from "./glossary/type-lexicon.ts";
import type { TypeDescription } from "./type-scores.ts";

export interface TypeProfile {
  readonly readable: string;
  readonly head: string;
  /** Unit length, less the mean of general nouns. */
  readonly direction: Float32Array;
  /** Log of the share of each anchor. */
  readonly anchors: Float32Array;
  /** The anchor of the largest share. */
  readonly anchor: number;
  /** Normal forms of the names that the ontology gives as examples. */
  readonly examples: ReadonlySet<string>;
}

/** Of each anchor: enough to place a name that none of the nouns matches. */
const prototypesPerAnchor = 16;
const sharpness = 12;
const nounBonus = 3;
/** "Customer: a company that buys" is more of a company than of a person. */
const definitionGain = 1.5;
const leastShare = 1e-4;
/** How much aliases and the description turn the direction of the name. */
const sideWeight = 0.4;
/** The model reads no more of it. */
const descriptionUnits = 600;
const aliasesRead = 8;
/** Of all types together; where there are many types each has fewer. A description goes before aliases. */
const sideTexts = 1_000;
/** About 15 ms. */
const TYPES_A_TURN = 100;

/**
 * Profiles of types, in their order. Embeds some 200 nouns and a few texts for each type: about a quarter of a second. `turn`: called after some types, as
 * embeddings that are cached give nobody else a turn.
 */
export async function describeTypes(
  types: readonly TypeDescription[],
  { embed, turn }: { readonly embed: Embed; readonly turn?: (() => Promise<void>) | undefined },
): Promise<readonly TypeProfile[]> {
  const prototypes: (readonly Float32Array[])[] = [];
  for (const anchor of ANCHORS) {
    const nouns = (ANCHOR_NOUNS.get(anchor) ?? []).slice(0, prototypesPerAnchor);
    prototypes.push(await embedAll(nouns, embed));
  }
  const mean = meanOf(prototypes.flat());
  const classes = prototypes.map((vectors) => vectors.map((vector) => centred(vector, mean)));
  const profiles: TypeProfile[] = [];
  const sides = Math.floor(sideTexts / Math.max(1, types.length));
  for (const [at, type] of types.entries()) {
    if (at % TYPES_A_TURN === 0) await turn?.();
    profiles.push(await describeType(type, { embed, mean, classes, sides }));
  }
  return profiles;
}

interface MeaningSpace {
  readonly embed: Embed;
  readonly mean: Float32Array;
  /** Centred prototypes of each anchor. */
  readonly classes: readonly (readonly Float32Array[])[];
  /** Texts of each type beside its name that are embedded at most. */
  readonly sides: number;
}

async function describeType(
  type: TypeDescription,
  { embed, mean, classes, sides }: MeaningSpace,
): Promise<TypeProfile> {
  const readable = spelledName(type.name);
  const name = centred(await embed(readable), mean);
  const head = headOf(readable);
  const anchors = anchorShares(name, [head, ...definedAs(type.description)], classes);
  const all = type.aliases.slice(0, aliasesRead).map(readableName);
  if (type.description !== "") all.push(type.description.slice(0, descriptionUnits));
  const side = all.slice(Math.max(0, all.length - sides));
  const direction = name.slice();
  for (const text of side) {
    const vector = centred(await embed(text), mean);
    for (let k = 0; k < direction.length; k++)
      direction[k] = direction[k]! + (sideWeight / side.length) * vector[k]!;
  }
  return {
    readable,
    head,
    direction: toUnit(direction),
    anchors: anchors.map((share) => Math.log(share + leastShare)),
    anchor: anchors.indexOf(Math.max(...anchors)),
    examples: new Set(type.examples.map(exampleForm)),
  };
}

/** How examples and mentions are compared. */
export function exampleForm(name: string): string {
  return name.toLowerCase().replace(/^the /, "").replace(/\s+/g, " ").trim();
}

const definitionWords = 8;

/** The noun by which a description begins to say what the type is: "company" of "A company that buys"; none where it is not listed. */
function definedAs(description: string): readonly string[] {
  const opening =
    description.split(
      /[.;:,(/]|\b(?:that|which|who|whose|where|of|for|in|with|between|from|to|by|on|at|or|and)\b/,
    )[0] ?? "";
  const words = opening
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
    .slice(0, definitionWords);
  const listed = words
    .map(singular)
    .filter((word) => [...ANCHOR_NOUNS.values()].some((own) => own.includes(word)));
  return listed.slice(-1);
}

/** Shares of the anchors, adding up to 1: by nearness to their prototypes, and by the heads of the name and of its definition. */
function anchorShares(
  name: Float32Array,
  heads: readonly string[],
  classes: readonly (readonly Float32Array[])[],
): Float32Array {
  const scores = Float32Array.from(ANCHORS, (anchor, index) => {
    const nearest = (classes[index] ?? []).reduce((best, vector) => Math.max(best, dot(name, vector)), -1);
    const [ofName = 0, ofDefinition = 0] = heads.map((head) =>
      ANCHOR_NOUNS.get(anchor)?.includes(head) === true ? 1 : 0,
    );
    return sharpness * nearest + nounBonus * (ofName + definitionGain * ofDefinition);
  });
  const highest = Math.max(...scores);
  const shares = scores.map((score) => Math.exp(score - highest));
  const sum = shares.reduce((total, share) => total + share, 0);
  const normal = shares.map((share) => share / sum);
  const mixed = normal.slice();
  for (const [from, to, share] of KIN) {
    const moved = share * normal[ANCHORS.indexOf(from)]!;
    mixed[ANCHORS.indexOf(from)] = mixed[ANCHORS.indexOf(from)]! - moved;
    mixed[ANCHORS.indexOf(to)] = mixed[ANCHORS.indexOf(to)]! + moved;
  }
  return mixed;
}

async function embedAll(texts: readonly string[], embed: Embed): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(await embed(text));
  return vectors;
}

const termAnchors = (["term", "method", "substance", "quantity"] as const).map((anchor) =>
  ANCHORS.indexOf(anchor),
);
/** Of so many types of terms on, a schema is one of terms. */
const manyTermTypes = 4;
const termGain = 1.5;

/**
 * How much less likely a term in small letters is no entity, as a logit: the more types of the schema are of terms, the more. By
 * hand, as the sets that are learned from are too few to learn it.
 */
export function termPrior(profiles: readonly TypeProfile[]): number {
  let types = 0;
  for (const { anchors } of profiles) for (const at of termAnchors) types += Math.exp(anchors[at]!);
  return termGain * Math.min(1, types / manyTermTypes);
}
