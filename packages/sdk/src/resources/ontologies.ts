import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  CreateOntology,
  LintOntology,
  Ontology,
  OntologyCheck,
  OntologyList,
  Suggestion,
} from "../wire.ts";

const PAGE = 1000;
/** A suggestion may take half a minute. */
const SUGGESTION_TIMEOUT_MS = 120_000;

export type ListedOntology = OntologyList["ontologies"][number];

export function ontologiesResource(transport: Transport) {
  /** Newest first, without their schemas. */
  const list = (page: { limit?: number; offset?: number } = {}, options?: CallOptions) =>
    transport.json<OntologyList>({ method: "GET", path: "/ontologies", query: page, options });
  return {
    list,

    /** Resolves to a draft, which is not stored: pass it to `create`. */
    suggest: (usecase: string, options?: CallOptions) =>
      transport.json<Suggestion>({
        method: "POST",
        path: "/ontologies/suggest",
        body: { usecase },
        options: { timeoutMs: SUGGESTION_TIMEOUT_MS, ...options },
      }),

    /** Resolves to the faults that `create` would report. Stores nothing. */
    lint: (body: LintOntology, options?: CallOptions) =>
      transport.json<OntologyCheck>({ method: "POST", path: "/ontologies/lint", body, options }),

    create: (body: CreateOntology, options?: CallOptions) =>
      transport.json<Ontology>({ method: "POST", path: "/ontologies", body, creates: true, options }),

    get: (ontologyId: string, options?: CallOptions) =>
      transport.json<Ontology>({ method: "GET", path: pathOf`/ontologies/${ontologyId}`, options }),

    /** Yields all ontologies, newest first. */
    each: (options?: CallOptions) =>
      eachItem<ListedOntology, OntologyList>({
        pageSize: PAGE,
        page: (limit, offset) => list({ limit, offset }, options),
        itemsOf: ({ ontologies }) => ontologies,
      }),
  };
}
