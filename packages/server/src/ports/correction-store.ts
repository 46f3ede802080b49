import type {
  Correction,
  CorrectionChange,
  CorrectionKind,
  CorrectionRule,
  ListedCorrection,
} from "../domain/correction.ts";
import type { ChunkKey } from "../domain/document.ts";
import type { EntityKey, Span } from "../domain/graph.ts";
import type { Project } from "../domain/project.ts";
import type { RenamedTypes, TypeNames } from "../domain/renamed-types.ts";
import type { Page } from "./content-store.ts";
import type { RelationshipPlace } from "./graph-store.ts";

export interface AddCorrections {
  readonly projectId: string;
  readonly accountId: string;
  /** In the order in which they are applied. */
  readonly corrections: readonly (Correction & { readonly rule: CorrectionRule })[];
  /** What the project's ontology calls types that the corrections may name otherwise; absent: nothing. */
  readonly names?: TypeNames;
  /** The binding that the corrections were checked under; absent: any. Another one in its place is `bound_otherwise`. */
  readonly follows?: Pick<Project, "ontologyId" | "ontologyVersion">;
  readonly maxPerProject: number;
  /** Of all corrections of the project. */
  readonly maxBytesPerProject: number;
  /** Of all rules of the project. */
  readonly maxNamesPerProject: number;
  /** Of the account; null = no limit. */
  readonly maxStoredBytes: number | null;
}

export type AddCorrectionsOutcome =
  /** The graph follows them with `applyVersionChanges`. */
  | { readonly kind: "accepted" }
  | { readonly kind: "project_gone" }
  | { readonly kind: "bound_otherwise" }
  | { readonly kind: "too_many" }
  | { readonly kind: "too_long" }
  | { readonly kind: "too_many_names" }
  | { readonly kind: "too_many_bytes" }
  /** Corrections concern more than `MAX_CONCERNED` chunks. */
  | { readonly kind: "too_many_chunks" }
  /** Verdicts name more than `MAX_PAIRS` pairs of ends. */
  | { readonly kind: "too_many_pairs" };

/** More chunks of a correction are not counted. */
export const MAX_COUNTED_CHUNKS = 1_000;

/** Chunks that one request may concern: listing them holds the writer of SQLite for about a quarter of a second. */
export const MAX_CONCERNED = 100_000;

/** Pairs of names, each of any type as target, that verdicts of one request are looked for under, in one transaction. */
export const MAX_PAIRS = 20_000;

export interface NamesOf {
  /** Its names; none when there is no such entity. */
  readonly names: readonly EntityKey[];
  /** Names that corrections have given these to. Without those of splits. */
  readonly former: readonly EntityKey[];
}

/** A relationship by names. */
export interface FactEnds {
  readonly type: string;
  readonly source: EntityKey;
  readonly target: EntityKey;
}

export interface EntityOfName {
  /** null: there is none yet. */
  readonly entityId: string | null;
  readonly type: string;
}

export interface ConfirmedEnd {
  /** Of the entity that it is taken for; its own type: there is one, or one is made. */
  readonly type: string;
  /** Entities that have its name under other types, where none has it under its own; at most 5. */
  readonly others: readonly EntityOfName[];
}

export interface ConfirmedEnds {
  readonly source: ConfirmedEnd;
  readonly target: ConfirmedEnd;
}

/** What the verdicts on relationships of a type teach about the others. */
export interface TaughtType {
  readonly type: string;
  /** Verdicts on what present documents state. */
  readonly confirmed: number;
  readonly rejected: number;
  /** Statements that are asserted, and only proposed, because of it. */
  readonly asserted: number;
  readonly proposed: number;
}

/** A correction as it was made, and what its types are called now. */
export interface GivenChange {
  readonly change: CorrectionChange;
  readonly renamed: RenamedTypes;
}

export interface CorrectionList {
  readonly corrections: readonly ListedCorrection[];
  readonly total: number;
  /** Of the whole project, by name. */
  readonly taught: readonly TaughtType[];
}

/** A statement of a later text by which a confirmed or added relationship would have ended, if it were not of a person. */
export interface Conflict {
  /** It tells of the end, or for a type with one target at a time of another target. */
  readonly kind: "ended" | "other_target";
  /** Of the target that it tells of. */
  readonly entityId: string;
  /** The year, month or day of the end, or since when the other target is known. */
  readonly at: string;
  readonly place: RelationshipPlace;
}

/** Of texts that were ingested after a correction was made. */
export interface LaterEvidence {
  /** A place of each of the newest chunks that it changes; at most 20. */
  readonly passages: readonly (ChunkKey & Span)[];
  /** The latest first; at most 20. */
  readonly conflicts: readonly Conflict[];
}

export interface CorrectionStore {
  addCorrections(input: AddCorrections): Promise<AddCorrectionsOutcome>;
  /** As `addCorrections`. False when it does not exist. */
  undoCorrection(input: { projectId: string; correctionId: string }): Promise<boolean>;
  listCorrections(input: {
    projectId: string;
    /** null: all. */
    kind: CorrectionKind | null;
    /** True: only those that change nothing at present. */
    withoutEvidence: boolean;
    newestFirst: boolean;
    page: Page;
  }): Promise<CorrectionList>;
  /** What they change, the newest first. */
  listChanges(input: { projectId: string; page: Page }): Promise<readonly GivenChange[]>;
  /** null when it does not exist. `today`: a day. */
  readLaterEvidence(input: {
    projectId: string;
    correctionId: string;
    today: string;
  }): Promise<LaterEvidence | null>;
  /** How many conflicts `readLaterEvidence` finds, by id; nothing for those that do not exist. */
  countConflicts(input: {
    projectId: string;
    correctionIds: readonly string[];
    today: string;
  }): Promise<Readonly<Record<string, number>>>;
  /**
   * What confirming makes of the ends of each. `inTurn`: one after another, so that a name which one of them brings into the graph is that of an
   * entity for the next.
   */
  findConfirmedEnds(input: {
    projectId: string;
    facts: readonly FactEnds[];
    inTurn: boolean;
  }): Promise<readonly ConfirmedEnds[]>;
  /** For each name the entity that has it and this type; at most 200 names a call. */
  readNamesOf(input: { projectId: string; names: readonly EntityKey[] }): Promise<readonly NamesOf[]>;
}
