/** Patterns and where they were found, as JSON has them. */
import type { bodies, responses } from "@kcs/contract";
import type { z } from "zod";
import type { GraphPattern } from "../../domain/pattern.ts";
import type { QuotedMatch } from "../../services/graph.ts";
import { presentEnd, presentQuotedRelationship, relationshipId } from "./graph.ts";

type MatchBody = z.output<typeof bodies.matchBody>;

export function toPattern({ nodes, edges, as_of: asOf, limit }: MatchBody): GraphPattern {
  return {
    nodes: nodes.map(({ entity_id: entityId = null, type: types, name, properties }) => ({
      entityId,
      types,
      name:
        name === null
          ? null
          : { text: typeof name === "string" ? name : name.contains, isPart: typeof name !== "string" },
      properties: properties.map(([property, values]) => ({
        property,
        values: values === true ? null : [values].flat(),
      })),
    })),
    edges: edges.map(({ type: types, direction, min_confidence: minConfidence }) => ({
      ...{ types, direction, minConfidence },
    })),
    asOf,
    limit,
  };
}

export function presentMatch(
  { rows, relationships, boundsMet, steps, tookMs }: QuotedMatch,
  { explain }: Pick<MatchBody, "explain">,
): z.input<typeof responses.graphMatch> {
  return {
    rows: rows.map((row) => ({
      nodes: row.entities.map(presentEnd),
      relationships: row.relationships.map(relationshipId),
    })),
    relationships: relationships.map(presentQuotedRelationship),
    is_complete: boundsMet.length === 0,
    bounds_met: [...boundsMet],
    ...(explain && {
      explain: {
        steps: steps.map(({ step, nodesRead, rows: found }) => ({
          step,
          nodes_read: nodesRead,
          rows: found,
        })),
        took_ms: Math.round(tookMs * 10) / 10,
      },
    }),
  };
}
