/**
 * The presenters of HTTP, injected by the composition, so that tools return the same shapes as the HTTP API.
 */
import type { bodies, responses } from "@kcs/contract";
import type { z } from "zod";
import type { Correction } from "../domain/correction.ts";
import type { AcceptedJob, Job } from "../domain/job.ts";
import type { GraphPattern } from "../domain/pattern.ts";
import type { Project } from "../domain/project.ts";
import type { Answer } from "../domain/query.ts";
import type { ChunkContext, StoredDocument } from "../ports/document-store.ts";
import type { Entity } from "../ports/graph-store.ts";
import type { Page } from "../ports/store.ts";
import type { EntityDetail, QuotedMatch } from "../services/graph.ts";
import type { CorrectionWithConflicts } from "../services/later-evidence.ts";
import type { ProgressEvent } from "../services/progress.ts";

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** The read-only type of a schema of the contract. */
export type Wire<Schema extends z.ZodType> = DeepReadonly<z.output<Schema>>;

export interface Presenters {
  readonly listedProject: (
    project: Project,
    ontologyName: string | null,
  ) => Wire<typeof responses.projectList>["projects"][number];
  readonly answer: (
    query: string,
    answer: Answer,
    withProvenance: boolean,
  ) => Wire<typeof responses.queryResult>;
  readonly chunk: (chunk: ChunkContext) => Wire<typeof responses.chunk>;
  readonly entity: (detail: EntityDetail) => Wire<typeof responses.entityDetail>;
  readonly entities: (
    found: { readonly entities: readonly Entity[]; readonly total: number },
    page: Page,
  ) => Wire<typeof responses.entityList>;
  readonly pattern: (body: z.output<typeof bodies.matchBody>) => GraphPattern;
  readonly match: (
    found: QuotedMatch,
    options: { readonly explain: boolean },
  ) => Wire<typeof responses.graphMatch>;
  readonly documents: (
    found: { readonly documents: readonly StoredDocument[]; readonly total: number },
    page: Page,
  ) => Wire<typeof responses.documentList>;
  readonly correction: (made: Correction) => Wire<typeof responses.correction>;
  readonly listedCorrection: (listed: CorrectionWithConflicts) => Wire<typeof responses.listedCorrection>;
  readonly acceptedJob: (job: AcceptedJob) => Wire<typeof responses.acceptedJob>;
  readonly job: (job: Job) => Wire<typeof responses.job>;
  readonly progress: (event: ProgressEvent) => Wire<typeof responses.jobProgress>;
}
