import type { VersionId } from "./document.ts";
import type { Metadata } from "./metadata.ts";
import type { BoundOntology } from "./ontology.ts";
import type { ProjectConfig } from "./project.ts";

export type JobStatus = "pending" | "running" | "completed" | "failed";

export interface Job {
  readonly jobId: string;
  readonly projectId: string;
  readonly sourceDocId: string;
  readonly status: JobStatus;
  readonly chunksProcessed: number;
  readonly nodesCreated: number;
  readonly edgesCreated: number;
  /** Epoch milliseconds, like all times here; null while pending. */
  readonly startedAt: number | null;
  /** null while pending or running. */
  readonly completedAt: number | null;
  readonly errorMessage: string | null;
}

/** What the caller of an ingest is told. */
export interface AcceptedJob {
  readonly jobId: string;
  readonly sourceDocId: string;
  readonly status: "pending";
  readonly createdAt: number;
}

/** A job that a worker holds under a lease, with all that it needs to go on. */
export interface ClaimedJob {
  readonly jobId: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly sourceDocId: string;
  /** The project's: its text is cut as it was when the project was made, whatever the default is now. */
  readonly config: ProjectConfig;
  /** null where the project keeps no graph, or one whose types come from the data. */
  readonly ontology: BoundOntology | null;
  readonly versionId: VersionId;
  readonly text: string;
  /** Empty = none. */
  readonly metadata: Metadata;
  /** Chunks already committed by an earlier attempt: the first position still to be made. */
  readonly nextPosition: number;
  /** The live version that this one replaces, complete or not; its unchanged chunks lend their vectors. */
  readonly replacesVersionId: VersionId | null;
  /** How often this job was tried before this claim. */
  readonly attempts: number;
  /** When it was first claimed. */
  readonly startedAt: number;
}
