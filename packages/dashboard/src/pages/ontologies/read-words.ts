/** What was read from the documents of a project, as the description of a use case from which an ontology is suggested. */
import type { Proposal } from "@kcs/sdk";

export interface ReadGraph {
  /** The most frequent first. */
  readonly entityTypes: readonly string[];
  readonly relationships: readonly Kind[];
  /** What is stated less surely; only a kind of it that comes several times, or is likely, says something of the documents. */
  readonly proposals: readonly (Kind & Pick<Proposal, "confidence">)[];
}

interface Kind {
  readonly type: string;
  readonly source: Pick<Proposal["source"], "type">;
  readonly target: Pick<Proposal["target"], "type">;
}

const minProposals = 2;
const minConfidence = 0.7;
/** The service calls so what texts do not tell the type of. */
const untyped = "Thing";

/** In the lists that the service reads; "" where nothing was read. */
export function readWords({ entityTypes, relationships, proposals }: ReadGraph): string {
  const types = entityTypes.filter((type) => type !== untyped);
  if (types.length === 0) return "";
  const isTyped = ({ source, target }: Kind) => source.type !== untyped && target.type !== untyped;
  const likely = [...Map.groupBy(proposals.filter(isTyped), lineOf)].filter(
    ([, same]) => same.length >= minProposals || same.some(({ confidence }) => confidence >= minConfidence),
  );
  const lines = [...new Set([...relationships.filter(isTyped).map(lineOf), ...likely.map(([line]) => line)])];
  return [`Entities: ${types.join(", ")}`, ...(lines.length === 0 ? [] : ["Relationships:", ...lines])].join(
    "\n",
  );
}

function lineOf({ source, type, target }: Kind): string {
  return `${source.type} -> ${type} -> ${target.type}`;
}
