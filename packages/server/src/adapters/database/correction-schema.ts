import type { CorrectionKind } from "../../domain/correction.ts";

/** A correction of a project's graph, applied in the order of `seq`. */
export interface CorrectionRow {
  readonly project_id: string;
  /** From the account's counter. */
  readonly seq: number;
  readonly correction_id: string;
  readonly kind: CorrectionKind;
  /** A `CorrectionChange` as JSON. */
  readonly change: string;
  /** Its `CorrectionRule` as JSON. */
  readonly rule: string;
  readonly reason: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly created_at: number;
  /** Versions from this number on were accepted after it was made. */
  readonly first_later_version: number;
  /** UTF-8 bytes of its texts, which count as stored bytes of the account. */
  readonly byte_length: number;
  /** Of its rule; null: it was made before they were counted. */
  readonly name_count: number | null;
  /** `RenamedTypes` as JSON: what the types in `change` and `rule` are called since the project was moved; null: the same. */
  readonly renamed_types: string | null;
}

/**
 * match: facts with this name may be changed by the correction. source, target: an end of an addition, after the corrections of names that
 * were made later. shown: the entity with this name is shown as `shown`.
 */
export type NameRole = "match" | "source" | "target" | "shown";

export interface CorrectionNameRow {
  readonly project_id: string;
  readonly name_key: string;
  readonly type: string;
  readonly role: NameRole;
  readonly seq: number;
  /** The order of the names of one role. */
  readonly place: number;
  readonly shown: string | null;
}

/** A correction changes the facts of this chunk. Version 0, with the `seq` of an addition as position, has what no text states. */
export interface CorrectedChunkRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly seq: number;
}

/**
 * A chunk whose facts in the graph have not yet followed a correction. With version 0: an addition; with version -1: an undone correction,
 * whose chunks are those of `corrected_chunks`. The position of these two is the number of the correction.
 */
export interface OutdatedFactsRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
}

/** A fact of a chunk that a verdict is on. */
export interface JudgedFactRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly seq: number;
  readonly type: string;
  /** Its confidence in thousandths, with four digits, then its wording: the greatest is the surest. */
  readonly judged: string;
}

/** What the verdicts on relationships of a type teach. */
export interface LessonRow {
  readonly project_id: string;
  readonly type: string;
  /** A `Lesson` as JSON; null: none. */
  readonly lesson: string | null;
  /** 1: the verdicts, or what they are on, have changed since. */
  readonly is_outdated: number;
  /** The graph has followed in all chunks before and in this one; null: in all. */
  readonly next_version: number | null;
  readonly next_position: number;
}

/** Facts of a chunk that are asserted, or only proposed, because of a lesson. */
export interface TaughtChunkRow {
  readonly project_id: string;
  readonly version_id: number;
  readonly position: number;
  readonly type: string;
  readonly asserted: number;
  readonly proposed: number;
}
