/** What accounts put in: projects, ontologies and documents. */
import type { Job } from "../domain/job.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { Ontology, OntologySummary } from "../domain/ontology.ts";
import type { Project } from "../domain/project.ts";

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface ListedProject {
  readonly project: Project;
  /** null when the project has no ontology of its own account. */
  readonly ontologyName: string | null;
}

export interface ProjectStore {
  /** "too_many" when the account already has `maxPerAccount` projects; nothing is written then. */
  createProject(input: { project: Project; maxPerAccount: number }): Promise<"created" | "too_many">;
  findProject(input: { projectId: string }): Promise<Project | null>;
  /** Newest first, by a sequence of the account, not the clock. */
  listProjects(input: { accountId: string; page: Page | null }): Promise<readonly ListedProject[]>;
  /** Removes the project and everything of it; its running jobs lose their lease with it. False when it is gone already. */
  deleteProject(input: {
    projectId: string;
    /** What webhooks are told; the store's clock where it is left out. */
    now?: number;
  }): Promise<boolean>;
}

export interface OntologyStore {
  createOntology(input: { ontology: Ontology; maxPerAccount: number }): Promise<"created" | "too_many">;
  /** Scoped by account: another account's ontology is null, like one that does not exist. */
  findOntology(input: { accountId: string; ontologyId: string }): Promise<Ontology | null>;
  listOntologies(input: { accountId: string; page: Page | null }): Promise<readonly OntologySummary[]>;
}

/** A text as it is stored. */
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
  /** Encoded where that was done before, off the threads that answer: its bytes may move, and are lost to the caller. */
  readonly text: string | EncodedText;
  /** Empty = none. */
  readonly metadata: Metadata;
}

export interface AcceptDocuments {
  readonly projectId: string;
  readonly accountId: string;
  readonly now: number;
  readonly documents: readonly NewDocument[];
  /** Requests per account over a sliding minute; null = no limit. One call is one request. */
  readonly requestsPerMinute: number | null;
  /** Tokens per account and `month`; null = no limit. Refused once so many are used. */
  readonly tokenLimit: number | null;
  /** UTC calendar month, "2031-04". */
  readonly month: string;
  /** Per account; null = no limit. */
  readonly maxPendingJobs: number | null;
  readonly maxStoredBytes: number | null;
}

/** How much of the rate is left after a request. */
export interface RateLeft {
  readonly requests: number;
  /** Until the oldest request counted leaves the minute. */
  readonly resetMs: number;
}

export type AcceptOutcome =
  /** `rate` is left out where there is no limit. */
  | { readonly kind: "accepted"; readonly rate?: RateLeft }
  | { readonly kind: "project_gone" }
  | { readonly kind: "rate_limited"; readonly retryAfterMs: number }
  | { readonly kind: "token_limit" }
  | { readonly kind: "too_many_pending" }
  | { readonly kind: "too_many_bytes" };

export interface IngestionStore {
  /**
   * All documents and their pending jobs, or none, in one transaction. Checks in this order: project
   * there, rate, tokens, pending jobs, bytes; only an accepted call counts for the rate. Each document
   * becomes a new version with its own job; jobs of one `sourceDocId` run in the order accepted.
   */
  acceptDocuments(input: AcceptDocuments): Promise<AcceptOutcome>;
  /** Newest first, by the project's job sequence. */
  listJobs(input: { projectId: string; page: Page }): Promise<readonly Job[]>;
  findJob(input: { projectId: string; jobId: string }): Promise<Job | null>;
}
