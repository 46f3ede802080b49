import { type ReadyOntologyName, readyOntologies } from "@kcs/contract/ready-ontologies";
import type { OntologySchema } from "@kcs/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { ontologiesQuery } from "../../api/ontologies.ts";
import { service } from "../../api/service.ts";

/** Makes a ready-made ontology one of the account, and returns its id. */
export async function makeReadyMade(client: QueryClient, name: ReadyOntologyName): Promise<string> {
  const { default: body } = await readyOntologies[name]();
  const { id } = await service.ontologies.create({
    name: body.name,
    schema: body.schema as OntologySchema, // A valid body of this request.
  });
  await client.invalidateQueries(ontologiesQuery);
  return id;
}
