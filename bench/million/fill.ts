/** Fills projects with the service's own code, but for the embedder. */
import { askProcess } from "../ask-process.ts";

export interface FillRequest {
  readonly folder: string;
  /** Chunks of real documents, which the embedder embeds. */
  readonly real: number;
  /** null = SQLite in `dataDir`. No service may run on either meanwhile. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Keeps the vectors of the real chunks for the next fill. */
  readonly vectorFolder: string;
  /** An empty project. Further ones are made like it. */
  readonly projectId: string;
  readonly projects: number;
  /** Of each project, at least. */
  readonly chunks: number;
}

export interface FillResult {
  readonly projectIds: readonly string[];
  readonly documents: number;
  readonly chunks: number;
  readonly realChunks: number;
  /** Without that of the real chunks' vectors. */
  readonly seconds: number;
  /** In each tenth of the chunks: what grows with the project would show here. */
  readonly chunksPerSecondOfTenths: readonly number[];
  /** From the last job until nothing was left to merge. */
  readonly upkeepSeconds: number;
  /** Of the first project. */
  readonly index: { readonly segments: number; readonly chunks: number; readonly bytes: number };
  /** null where the vectors were kept from another fill. */
  readonly embeddedChunksPerSecond: number | null;
  /**
   * Of some mixed chunks, the mean cosine of the vector by the rule and that of the embedder, and, to compare, the same with that of
   * another mixed chunk.
   */
  readonly rule: { readonly cosine: number; readonly cosineOfOthers: number };
}

export function fillProjects(request: FillRequest): Promise<FillResult> {
  return askProcess(new URL("./fill-process.ts", import.meta.url), request);
}
