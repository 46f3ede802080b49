import {
  correctionEvidence,
  correctionExamples,
  correctionList,
  madeCorrections,
} from "./correction-responses.ts";
import type { Endpoint } from "./endpoint.ts";
import { ontologyWithExamples } from "./responses.ts";

export const correctionEndpoints = {
  createCorrections: {
    method: "POST",
    path: "/projects/{project_id}/corrections",
    summary: "Correct a project's graph",
    success: 200,
    response: madeCorrections,
    documented: false,
  },
  listCorrections: {
    method: "GET",
    path: "/projects/{project_id}/corrections",
    summary: "List or export the corrections of a project's graph",
    success: 200,
    response: correctionList,
    otherTypes: ["application/x-ndjson"],
    documented: false,
  },
  listCorrectionExamples: {
    method: "GET",
    path: "/projects/{project_id}/corrections/examples",
    summary: "Get what people have confirmed and rejected as examples for an ontology",
    success: 200,
    response: correctionExamples,
    documented: false,
  },
  addExamplesToOntology: {
    method: "POST",
    path: "/projects/{project_id}/corrections/ontology",
    summary: "Put what people have confirmed into the project's ontology as examples",
    success: 200,
    response: ontologyWithExamples,
    documented: false,
  },
  getCorrectionEvidence: {
    method: "GET",
    path: "/projects/{project_id}/corrections/{correction_id}/evidence",
    summary: "Get what later texts say of a correction",
    success: 200,
    response: correctionEvidence,
    documented: false,
  },
  deleteCorrection: {
    method: "DELETE",
    path: "/projects/{project_id}/corrections/{correction_id}",
    summary: "Undo a correction",
    success: 204,
    response: null,
    documented: false,
  },
} as const satisfies Record<string, Endpoint>;
