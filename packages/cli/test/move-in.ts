import { createClient } from "@kcs/sdk";
import { makeFolder } from "./run-cli.ts";

/** Somebody who has chosen a new project of this service. */
export async function moveIn({ baseUrl, home }: { baseUrl: string; home: { ownerKey: string } }) {
  const client = createClient({ baseUrl, apiKey: home.ownerKey });
  const { project_id: projectId } = await client.projects.create({ name: "Log", vector_only: true });
  const env = { HOME: await makeFolder(), KCS_URL: baseUrl, KCS_KEY: home.ownerKey, KCS_PROJECT: projectId };
  return { client, projectId, env };
}
