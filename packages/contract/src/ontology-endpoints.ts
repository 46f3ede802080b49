/** The endpoints of versions of ontologies; rows of `endpoints`. */
import { ontologyFormats } from "./ontology-formats.ts";
import * as responses from "./responses.ts";

export const ontologyVersionEndpoints = {
  replaceOntology: {
    method: "PUT",
    path: "/ontologies/{ontology_id}",
    summary: "Make a new version of an ontology",
    success: 200,
    response: responses.ontologyVersion,
    documented: false,
  },
  deleteOntology: {
    method: "DELETE",
    path: "/ontologies/{ontology_id}",
    summary: "Delete an ontology that no project is bound to, with all its versions",
    success: 204,
    response: null,
    documented: false,
  },
  listOntologyVersions: {
    method: "GET",
    path: "/ontologies/{ontology_id}/versions",
    summary: "List the versions of an ontology, newest first",
    success: 200,
    response: responses.ontologyVersionList,
    documented: false,
  },
  diffOntology: {
    method: "GET",
    path: "/ontologies/{ontology_id}/diff",
    summary: "List what differs between two versions of an ontology",
    success: 200,
    response: responses.ontologyDiff,
    documented: false,
  },
  importOntology: {
    method: "POST",
    path: "/ontologies/import",
    summary: "Create an ontology from a file of another format",
    success: 201,
    response: responses.importedOntology,
    documented: false,
  },
  exportOntology: {
    method: "GET",
    path: "/ontologies/{ontology_id}/export",
    summary: "Export an ontology in another format",
    success: 200,
    response: null,
    mediaTypes: Object.values(ontologyFormats).map(({ mediaType }) => mediaType),
    documented: false,
  },
} as const;
