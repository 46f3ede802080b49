/** Which nodes of upper levels a question asks for. */
import type { UpperNode } from "./level-reader.ts";
import { isInQuestion, normalQuestion, type Overview } from "./overview.ts";

export const NODE_LIMITS = { broad: 8, narrow: 3 } as const;

export interface Choice {
  readonly question: string;
  readonly overview: Overview;
  readonly nodes: readonly UpperNode[];
  /** Whether the question has names of the graph at all. */
  readonly hasNames: boolean;
  /** Entities that the question names. */
  readonly namedIds: ReadonlySet<string>;
}

/**
 * Those that the question names; else those that gather what it names; else all of the types that it asks for, unless it asks for one
 * thing or about something else by name. Highest level first where it names no type, then those with most support.
 */
export function chooseNodes(choice: Choice): readonly UpperNode[] {
  const { question, overview, nodes, hasNames, namedIds } = choice;
  const limit = overview.isBroad ? NODE_LIMITS.broad : NODE_LIMITS.narrow;
  const text = normalQuestion(question);
  const own = nodes.filter((node) => isNamed(node, text, overview));
  if (own.length > 0) return own.toSorted(compareNodes).slice(0, limit);
  const wanted = nodes
    .filter(({ type }) => overview.types.size === 0 || overview.types.has(type.name))
    .toSorted(compareNodes);
  if (!hasNames) return wanted.slice(0, limit);
  const holding = wanted.filter(({ members }) =>
    members.some((member) => "entityId" in member && namedIds.has(member.entityId)),
  );
  if (holding.length > 0 && overview.isNamed) return holding.slice(0, limit);
  return overview.isBroad && overview.types.size > 0 ? wanted.slice(0, limit) : [];
}

/** What was formed around a hub has no name of its own: the question must ask for its type. */
function isNamed({ origin, type }: UpperNode, question: string, { types }: Overview): boolean {
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
