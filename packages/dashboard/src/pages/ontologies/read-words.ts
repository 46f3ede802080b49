/** What was read from the documents of a project, as the description of a use case from which an ontology is suggested. */
import type { Proposal } from "@kcs/sdk";

export interface ReadGraph {
  /** The most frequent first. */
  readonly entityTypes: readonly string[];
  readonly relationships: readonly Kind[];
  /** What is stated less surely; only a kind of it that comes several times says something of the documents. */
  readonly proposals: readonly Kind[];
}

interface Kind {
  readonly type: string;
  readonly source: Pick<Proposal["source"], "type">;
  readonly target: Pick<Proposal["target"], "type">;
}

const minProposals = 2;

/** In the lists that the service reads; "" where nothing was read. */
export function readWords({ entityTypes, relationships, proposals }: ReadGraph): string {
  if (entityTypes.length === 0) return "";
  const counts = Map.groupBy(proposals, lineOf);
  const often = [...counts].filter(([, same]) => same.length >= minProposals).map(([line]) => line);
  const lines = [...new Set([...relationships.map(lineOf), ...often])];
  return [
    `Entities: ${entityTypes.join(", ")}`,
    ...(lines.length === 0 ? [] : ["Relationships:", ...lines]),
  ].join("\n");
}

function lineOf({ source, type, target }: Kind): string {
  return `${source.type} -> ${type} -> ${target.type}`;
}
