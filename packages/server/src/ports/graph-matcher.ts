import type { EdgeConditions, NodeConditions } from "../domain/pattern.ts";
import type { Moment } from "../domain/validity.ts";
import type { EdgePlace, WalkedEdge } from "./graph-browser.ts";

/** A relationship, by the ids of its entities. */
export interface RelationshipKey {
  readonly sourceId: string;
  readonly targetId: string;
  readonly type: string;
}

/** Reads for looking up a pattern. Like `GraphStore`, it returns only what live documents support. */
export interface GraphMatcher {
  /** Those of these entities (at most 500) that meet the conditions. */
  selectEntities(input: {
    projectId: string;
    entityIds: readonly string[];
    where: NodeConditions;
  }): Promise<readonly string[]>;
  /**
   * The relationships that begin at these entities (at most 100), or end there (`isBackwards`), and of which a sentence meets
   * the conditions, in steps of a bounded number of rows: not every step has some, and two can have the same one, under
   * different names of its entities.
   */
  walkNeighbours(input: {
    projectId: string;
    entityIds: readonly string[];
    where: EdgeConditions;
    asOf: Moment | null;
    isBackwards: boolean;
    after: EdgePlace | null;
  }): Promise<{ readonly relationships: readonly RelationshipKey[]; readonly next: EdgePlace | null }>;
  /**
   * Walks the edges of the first of these relationships (at most 500), each once, in a bounded number of rows, and counts the
   * chunks that state them and hold then. `taken`: how many were walked to their ends. `next`: where the first one goes on, if
   * that alone has more; the edge that was walked last may then go on, with the rest of its chunks.
   */
  walkBetween(input: {
    projectId: string;
    keys: readonly RelationshipKey[];
    asOf: Moment | null;
    after: EdgePlace | null;
  }): Promise<{
    readonly edges: readonly WalkedEdge[];
    readonly taken: number;
    readonly next: EdgePlace | null;
  }>;
}
