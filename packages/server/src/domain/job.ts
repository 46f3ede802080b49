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

/** The result of an accepted ingest request. */
export interface AcceptedJob {
  readonly jobId: string;
  readonly sourceDocId: string;
  /** "running": only of a job that an earlier request has brought. */
  readonly status: "pending" | "running";
  readonly createdAt: number;
}

/** A job that a worker holds under a lease, with everything needed to process it. */
export interface ClaimedJob {
  readonly jobId: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly sourceDocId: string;
  /** The project's configuration, which may differ from the current default. */
  readonly config: ProjectConfig;
  /** null when the project has no graph, or a graph whose types come from the data. */
  readonly ontology: BoundOntology | null;
  readonly versionId: VersionId;
  readonly text: string;
  /** Empty when the document has none. */
  readonly metadata: Metadata;
  /** Number of chunks that earlier attempts committed, which is also the position of the next chunk. */
  readonly nextPosition: number;
  /**
   * The live version that this one replaces, complete or not; vectors of unchanged chunks are reused from it.
   */
  readonly replacesVersionId: VersionId | null;
  /** Attempts before this claim. */
  readonly attempts: number;
  /** Time of the first claim. */
  readonly startedAt: number;
}
