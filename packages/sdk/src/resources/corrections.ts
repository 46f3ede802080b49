import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  AddExamplesToOntology,
  CorrectionEvidence,
  CorrectionExamples,
  CorrectionList,
  CreateCorrections,
  ListedCorrection,
  MadeCorrections,
  OntologyWithExamples,
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

    /** Puts what was confirmed into the project's ontology as its next version. `bind` moves the project to it. */
    addExamples: (projectId: string, body: AddExamplesToOntology = {}, options?: CallOptions) =>
      transport.json<OntologyWithExamples>({
        method: "POST",
        path: pathOf`/projects/${projectId}/corrections/ontology`,
        tellsChange: true,
        body,
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
