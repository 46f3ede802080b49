/** Storage of projects, ontologies and ingested documents. */
import type { Job, JobStatus } from "../domain/job.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { WrittenFacts } from "../domain/ontology/allowed-facts.ts";
import type { Ontology, OntologySummary } from "../domain/ontology.ts";
import type { Project } from "../domain/project.ts";

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Of an account's list, newest first: `limit` items, at most 500, behind `offset` others and, if given, behind the place `before`. */
export interface ListStep extends Page {
  readonly before: number | null;
}

export interface Listed {
  /** The number that its account gave it when it was created. */
  readonly place: number;
}

export interface ListedProject extends Listed {
  readonly project: Project;
  /** null when the project has no ontology that belongs to its account. */
  readonly ontologyName: string | null;
}

/** "too_many" when the account already has `maxPerAccount` projects, "ontology_gone" without that of the project; then nothing is written. */
export type CreateProjectOutcome = "created" | "too_many" | "ontology_gone";

export interface ProjectStore {
  createProject(input: { project: Project; maxPerAccount: number }): Promise<CreateProjectOutcome>;
  findProject(input: { projectId: string }): Promise<Project | null>;
  /** Newest first, ordered by a sequence number per account, not by the clock. */
  listProjects(input: { accountId: string } & ListStep): Promise<readonly ListedProject[]>;
  /** False when it does not exist. */
  renameProject(input: { projectId: string; name: string }): Promise<boolean>;
  /**
   * Deletes the project: from then on nothing finds it or its data, and its running jobs lose their lease. `reclaim` removes the
   * rows that are left. False when it does not exist.
   */
  deleteProject(input: {
    projectId: string;
    /** The time that webhook events carry. Default: the store's clock. */
    now?: number;
  }): Promise<boolean>;
}

export interface NewOntology {
  readonly ontology: Ontology;
  /** Of its schema: the result of `writeAllowedFacts`. */
  readonly allowedFacts: WrittenFacts;
  readonly maxPerAccount: number;
  /** Of the account's texts and ontologies; null = no limit. */
  readonly maxStoredBytes: number | null;
}

export type ListedOntology = OntologySummary & Listed;

export type CreateOntologyOutcome = "created" | "too_many" | "too_many_bytes";

export interface OntologyStore {
  createOntology(input: NewOntology): Promise<CreateOntologyOutcome>;
  /** null for an ontology or version that does not exist, and for those of other accounts. Without a version the newest. */
  findOntology(input: {
    accountId: string;
    ontologyId: string;
    version?: number | null;
  }): Promise<Ontology | null>;
  listOntologies(input: { accountId: string } & ListStep): Promise<readonly ListedOntology[]>;
}

/** A text in the form in which it is stored. */
export interface EncodedText {
  readonly encoding: "utf8" | "zstd";
  readonly bytes: Uint8Array;
  /** Length in UTF-8, before compression. */
  readonly byteLength: number;
  /** SHA-256 of the UTF-8, base64url. */
  readonly hash: string;
}

export interface NewDocument {
  readonly jobId: string;
  readonly sourceDocId: string;
  /**
   * If it is already encoded, its bytes may be transferred to another thread; the caller can then no longer
   * use them.
   */
  readonly text: string | EncodedText;
  /** Empty when the document has none. */
  readonly metadata: Metadata;
}

/** What an account may have ingested. */
export interface IngestLimits {
  readonly accountId: string;
  readonly now: number;
  /** Requests per account in a sliding minute; null = no limit. One call counts as one request. */
  readonly requestsPerMinute: number | null;
  /**
   * Tokens per account and `month`; null = no limit. Calls are refused once the account has used this number.
   */
  readonly tokenLimit: number | null;
  /** UTC calendar month, "2031-04". */
  readonly month: string;
  /** Per account; null = no limit. */
  readonly maxPendingJobs: number | null;
  readonly maxStoredBytes: number | null;
}

export interface AcceptDocuments extends IngestLimits {
  readonly projectId: string;
  readonly documents: readonly NewDocument[];
}

/** The remainder of the rate limit after a request. */
export interface RateLeft {
  readonly requests: number;
  /** Time until the oldest counted request leaves the sliding minute. */
  readonly resetMs: number;
}

export type AcceptOutcome =
  /** `rate` is absent when there is no limit. */
  | { readonly kind: "accepted"; readonly rate?: RateLeft }
  | { readonly kind: "project_gone" }
  | { readonly kind: "rate_limited"; readonly retryAfterMs: number }
  | { readonly kind: "token_limit" }
  | { readonly kind: "too_many_pending" }
  | { readonly kind: "too_many_bytes" };

export interface IngestionStore {
  /**
   * Stores all documents with their pending jobs, or none, in one transaction. Order of the checks: the
   * project exists, rate, tokens, pending jobs, bytes. Only an accepted call counts towards the rate. Each
   * document becomes a new version with its own job; jobs of one `sourceDocId` run in the order in which they
   * were accepted.
   */
  acceptDocuments(input: AcceptDocuments): Promise<AcceptOutcome>;
  /** Newest first, ordered by the project's job sequence. Without a status, or null: all. */
  listJobs(input: { projectId: string; status?: JobStatus | null; page: Page }): Promise<readonly Job[]>;
  findJob(input: { projectId: string; jobId: string }): Promise<Job | null>;
}
