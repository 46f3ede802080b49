import { bodies } from "@kcs/contract";
import type { FastifyInstance } from "fastify";
import type { OntologyVersionService } from "../../services/ontology-versions.ts";
import { check } from "../body.ts";
import { addLargeBodyScope } from "../large-body.ts";
import {
  presentOntologyDiff,
  presentOntologyVersion,
  presentOntologyVersions,
} from "../present/ontology-versions.ts";
import { addEndpoint, pathParameter, requireCaller } from "./endpoint.ts";
import { type OntologyRouteDeps, SCHEMA_BODY_BYTES } from "./ontologies.ts";

export function addOntologyVersionRoutes(
  app: FastifyInstance,
  deps: OntologyRouteDeps & { readonly ontologyVersions: OntologyVersionService },
): void {
  const { ontologyVersions } = deps;
  addLargeBodyScope(app, { ...deps, form: "ontology" }, (scope, contentOf) =>
    addEndpoint(scope, "replaceOntology", {
      bodyLimit: SCHEMA_BODY_BYTES,
      async handler(request) {
        const ontologyId = pathParameter(request, "ontology_id");
        const input = () => contentOf(request);
        return presentOntologyVersion(
          await ontologyVersions.replace(requireCaller(request), ontologyId, input),
        );
      },
    }),
  );

  addEndpoint(app, "deleteOntology", {
    handler: (request) =>
      ontologyVersions.delete(requireCaller(request), pathParameter(request, "ontology_id")),
  });

  addEndpoint(app, "listOntologyVersions", {
    async handler(request) {
      const ontologyId = pathParameter(request, "ontology_id");
      return presentOntologyVersions(await ontologyVersions.list(requireCaller(request), ontologyId));
    },
  });

  addEndpoint(app, "diffOntology", {
    async handler(request) {
      const pair = check(bodies.ontologyDiffParameters, request.query);
      const ontologyId = pathParameter(request, "ontology_id");
      return presentOntologyDiff(await ontologyVersions.compare(requireCaller(request), ontologyId, pair));
    },
  });
}
