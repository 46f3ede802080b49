import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  CorrectionEvidence,
  CorrectionExamples,
  CorrectionList,
  CreateCorrections,
  CreateOntologyFromCorrections,
  ListedCorrection,
  MadeCorrections,
  Ontology,
} from "../wire.ts";

const PAGE = 100;

export interface CorrectionPage {
  readonly limit?: number;
  readonly offset?: number;
  readonly kind?: ListedCorrection["kind"];
  readonly state?: "without_evidence";
  /** Default: newest first. */
  readonly order?: "newest" | "oldest";
}

export function correctionsResource(transport: Transport) {
  const list = (projectId: string, page: CorrectionPage = {}, options?: CallOptions) =>
    transport.json<CorrectionList>({
      method: "GET",
      path: pathOf`/projects/${projectId}/corrections`,
      query: { ...page },
      options,
    });
  return {
    list,

    /** At most 100, applied in their order. Resolves when the graph has followed. */
    create: (projectId: string, corrections: CreateCorrections["corrections"], options?: CallOptions) =>
      transport.json<MadeCorrections>({
        method: "POST",
        path: pathOf`/projects/${projectId}/corrections`,
        body: { corrections },
        creates: true,
        options,
      }),

    /** Undoes it. Resolves when the graph has followed. */
    delete: (projectId: string, correctionId: string, options?: CallOptions) =>
      transport.empty({
        method: "DELETE",
        path: pathOf`/projects/${projectId}/corrections/${correctionId}`,
        options,
      }),

    /** What texts say of it that were ingested later. */
    evidence: (projectId: string, correctionId: string, options?: CallOptions) =>
      transport.json<CorrectionEvidence>({
        method: "GET",
        path: pathOf`/projects/${projectId}/corrections/${correctionId}/evidence`,
        options,
      }),

    /** What was confirmed and rejected, in the form of an ontology's `examples`. */
    examples: (projectId: string, options?: CallOptions) =>
      transport.json<CorrectionExamples>({
        method: "GET",
        path: pathOf`/projects/${projectId}/corrections/examples`,
        options,
      }),

    /** The project's ontology with what was confirmed as examples, as a new one. */
    createOntology: (projectId: string, body: CreateOntologyFromCorrections, options?: CallOptions) =>
      transport.json<Ontology>({
        method: "POST",
        path: pathOf`/projects/${projectId}/corrections/ontology`,
        body,
        creates: true,
        options,
      }),

    /** Yields all corrections, the oldest first: `create` applies them to another project in this order. */
    each: (projectId: string, options?: CallOptions) =>
      eachItem<ListedCorrection, CorrectionList>({
        pageSize: PAGE,
        page: (limit, offset) => list(projectId, { limit, offset, order: "oldest" }, options),
        itemsOf: ({ corrections }) => corrections,
      }),
  };
}
