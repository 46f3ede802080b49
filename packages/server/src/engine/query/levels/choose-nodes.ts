/** Chooses the nodes of upper levels that a question asks for. */
import type { UpperNode } from "./level-reader.ts";
import { isInQuestion, normalQuestion, type OverviewQuestion } from "./overview.ts";

export const NODE_LIMITS = { broad: 8, narrow: 3 } as const;

export interface Choice {
  readonly question: string;
  readonly overview: OverviewQuestion;
  readonly nodes: readonly UpperNode[];
  /** Whether the question contains any name of the graph. */
  readonly hasNames: boolean;
  /** Entities that the question names. */
  readonly namedIds: ReadonlySet<string>;
}

/**
 * The nodes that the question names. If there are none: the nodes that have a named entity as a member. If
 * there are none: all nodes of the requested types, unless the question is about one thing or about another
 * name. The highest level comes first, then the nodes with the most support.
 */
export function chooseNodes(choice: Choice): readonly UpperNode[] {
  const { question, overview, nodes, hasNames, namedIds } = choice;
  const limit = overview.isBroad ? NODE_LIMITS.broad : NODE_LIMITS.narrow;
  const text = normalQuestion(question);
  const named = nodes.filter((node) => isNamed(node, text, overview));
  if (named.length > 0) return named.toSorted(compareNodes).slice(0, limit);
  const requested = nodes
    .filter(({ type }) => overview.types.size === 0 || overview.types.has(type.name))
    .toSorted(compareNodes);
  if (!hasNames) return requested.slice(0, limit);
  const withNamedMember = requested.filter(({ members }) =>
    members.some((member) => "entityId" in member && namedIds.has(member.entityId)),
  );
  if (withNamedMember.length > 0 && overview.isNamed) return withNamedMember.slice(0, limit);
  return overview.isBroad && overview.types.size > 0 ? requested.slice(0, limit) : [];
}

/** A formed node has no name of its own: the question must contain its type and the name of its hub. */
function isNamed({ origin, type }: UpperNode, question: string, { types }: OverviewQuestion): boolean {
  if (origin.kind === "named") return isInQuestion(question, origin.entity.key);
  return types.has(type.name) && isInQuestion(question, origin.hub.key);
}

function compareNodes(one: UpperNode, other: UpperNode): number {
  return (
    other.type.level - one.type.level ||
    other.members.length - one.members.length ||
    other.chunks - one.chunks ||
    (orderOf(one) < orderOf(other) ? -1 : 1)
  );
}

function orderOf({ type, origin }: UpperNode): string {
  const { key } = origin.kind === "named" ? origin.entity : origin.hub;
  return `${key}\n${type.name}`;
}
