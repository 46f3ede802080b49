import { eachItem } from "../pages.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type {
  CreateOntology,
  ImportedOntology,
  ImportOntology,
  LintOntology,
  Ontology,
  OntologyCheck,
  OntologyDiff,
  OntologyList,
  OntologyVersion,
  OntologyVersionList,
  ReplaceOntology,
  Suggestion,
} from "../wire.ts";

const PAGE = 1000;
/** A suggestion may take half a minute. */
const SUGGESTION_TIMEOUT_MS = 120_000;

export type OntologyFormat = "turtle" | "rdfxml" | "json-schema" | "neo4j" | "linkml";

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

    ...versionsOf(transport),
    ...filesOf(transport),

    /** Yields all ontologies, newest first. */
    each: (options?: CallOptions) =>
      eachItem<ListedOntology, OntologyList>({
        pageSize: PAGE,
        page: (limit, offset) => list({ limit, offset }, options),
        itemsOf: ({ ontologies }) => ontologies,
      }),
  };
}

function versionsOf(transport: Transport) {
  return {
    /** The ontology as it was in one of its versions. */
    getVersion: (ontologyId: string, version: number, options?: CallOptions) =>
      transport.json<Ontology>({
        method: "GET",
        path: pathOf`/ontologies/${ontologyId}`,
        query: { version },
        options,
      }),

    /** Makes a new version. Projects stay with theirs until `projects.change` moves them. */
    replace: (ontologyId: string, body: ReplaceOntology, options?: CallOptions) =>
      transport.json<OntologyVersion>({
        method: "PUT",
        path: pathOf`/ontologies/${ontologyId}`,
        body,
        options,
      }),

    /** Newest first. */
    versions: (ontologyId: string, options?: CallOptions) =>
      transport.json<OntologyVersionList>({
        method: "GET",
        path: pathOf`/ontologies/${ontologyId}/versions`,
        options,
      }),

    /** What differs between two versions, by default the last two. */
    diff: (
      ontologyId: string,
      versions: { readonly before?: number; readonly after?: number } = {},
      options?: CallOptions,
    ) =>
      transport.json<OntologyDiff>({
        method: "GET",
        path: pathOf`/ontologies/${ontologyId}/diff`,
        query: { ...versions },
        options,
      }),

    /** With all versions. Rejected while a project is bound to it. */
    delete: (ontologyId: string, options?: CallOptions) =>
      transport.empty({ method: "DELETE", path: pathOf`/ontologies/${ontologyId}`, options }),
  };
}

/** Files of other formats. */
function filesOf(transport: Transport) {
  return {
    /** Creates an ontology from a file; `left_out` lists what has no place in it. */
    import: (body: ImportOntology, { format }: { readonly format: OntologyFormat }, options?: CallOptions) =>
      transport.json<ImportedOntology>({
        method: "POST",
        path: "/ontologies/import",
        query: { format },
        body,
        creates: true,
        options,
      }),

    /** The text of a file of which `import` makes the same types. */
    export: (
      ontologyId: string,
      choice: { readonly format: OntologyFormat; readonly version?: number },
      options?: CallOptions,
    ): Promise<string> => {
      const path = pathOf`/ontologies/${ontologyId}/export`;
      return transport.text({ method: "GET", path, query: { ...choice }, accept: "*/*", options });
    },
  };
}
