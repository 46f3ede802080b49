import type { OntologyFormat } from "@kcs/contract/ontology-formats";
import type { ImportedOntology, OntologySchema } from "@kcs/sdk";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { messageOf } from "./fault.ts";
import { projectConfigQuery, projectsQuery } from "./projects.ts";
import { service } from "./service.ts";

export const ontologiesQuery = queryOptions({
  queryKey: ["ontologies"],
  queryFn: ({ signal }) => service.ontologies.list({}, { signal }),
});

export function ontologyQuery(ontologyId: string) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId],
    queryFn: ({ signal }) => service.ontologies.get(ontologyId, { signal }),
  });
}

/** Newest first, each with the number of projects that are bound to it. */
export function ontologyVersionsQuery(ontologyId: string) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId, "versions"],
    queryFn: ({ signal }) => service.ontologies.versions(ontologyId, { signal }),
  });
}

export function ontologyVersionQuery(ontologyId: string, version: number) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId, "versions", version],
    queryFn: ({ signal }) => service.ontologies.getVersion(ontologyId, version, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What differs between two versions, with both. */
export function ontologyChangesQuery(
  ontologyId: string,
  pair: { readonly before: number; readonly after: number },
) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId, "changes", pair],
    async queryFn({ client, signal }) {
      const [diff, before, after] = await Promise.all([
        service.ontologies.diff(ontologyId, pair, { signal }),
        client.fetchQuery(ontologyVersionQuery(ontologyId, pair.before)),
        client.fetchQuery(ontologyVersionQuery(ontologyId, pair.after)),
      ]);
      return { diff, before, after };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface BoundProject {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

export interface BoundProjects {
  /** Of all versions. */
  readonly count: number;
  /** Some of them. */
  readonly named: readonly BoundProject[];
  /** Those that use an earlier version than the newest: how many, and some of them. */
  readonly earlier: { readonly count: number; readonly named: readonly BoundProject[] };
  /** The newest version: projects stay with the one that they have. */
  readonly newest: number;
}

const maxNamed = 3;
const maxSearched = 60;
const searchedAtOnce = 6;

/** The projects that are bound to an ontology. Lists of projects have the name of the ontology only, so each one is asked. */
export function boundProjectsQuery(ontologyId: string) {
  return queryOptions({
    queryKey: ["ontologies", ontologyId, "projects"],
    async queryFn({ client }): Promise<BoundProjects> {
      const { versions } = await client.fetchQuery({
        ...ontologyVersionsQuery(ontologyId),
        staleTime: 0,
      });
      const { name = "", version: newest = 1, projects: ofNewest = 0 } = versions[0] ?? {};
      const count = versions.reduce((sum, { projects }) => sum + projects, 0);
      const earlier = count - ofNewest;
      const isEarlier = ({ version }: BoundProject) => version < newest;
      const areEnough = (found: readonly BoundProject[]) =>
        found.length >= Math.min(count, maxNamed) &&
        found.filter(isEarlier).length >= Math.min(earlier, maxNamed);
      const found = await findBound(client, { ontologyId, name, areEnough });
      return {
        ...{ count, named: found.slice(0, maxNamed), newest },
        earlier: { count: earlier, named: found.filter(isEarlier).slice(0, maxNamed) },
      };
    },
    // Projects are bound and moved on other pages.
    staleTime: 0,
  });
}

async function findBound(
  client: QueryClient,
  {
    ontologyId,
    name,
    areEnough,
  }: {
    readonly ontologyId: string;
    readonly name: string;
    readonly areEnough: (found: readonly BoundProject[]) => boolean;
  },
): Promise<readonly BoundProject[]> {
  const found: BoundProject[] = [];
  if (areEnough(found)) return found;
  const { projects } = await client.fetchQuery(projectsQuery);
  const likely = projects.filter(({ ontology }) => ontology?.name === name).slice(0, maxSearched);
  for (let at = 0; at < likely.length && !areEnough(found); at += searchedAtOnce) {
    const some = await Promise.all(
      likely.slice(at, at + searchedAtOnce).map(async (project) => {
        const { ontology } = await client.fetchQuery(projectConfigQuery(project.project_id));
        if (ontology?.id !== ontologyId) return [];
        return [{ id: project.project_id, name: project.name, version: ontology.version }];
      }),
    );
    found.push(...some.flat());
  }
  return found;
}

/** Runs the service's checks without storing the schema. */
export function ontologyCheckQuery(schema: Readonly<Record<string, unknown>> | null) {
  return queryOptions({
    queryKey: ["ontology-check", schema],
    queryFn: ({ signal }) => service.ontologies.lint({ schema: schema ?? {} }, { signal }),
    enabled: schema !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/** `json`: the service's own form, a body of `POST /ontologies` or what `GET /ontologies/{id}` returns. */
export type OntologyFileFormat = OntologyFormat | "json";

export interface OntologyFile {
  readonly format: OntologyFileFormat;
  readonly content: string;
  /** Instead of the name in the file. */
  readonly name?: string;
}

/** Makes an ontology from a file. */
export async function importOntology({ format, content, name }: OntologyFile): Promise<ImportedOntology> {
  if (format !== "json") {
    try {
      return await service.ontologies.import({ content, ...(name !== undefined && { name }) }, { format });
    } catch (error) {
      throw ofFile(error);
    }
  }
  const file = parsed(content);
  const schema = file["schema"] ?? file;
  const given = name ?? file["name"];
  const ontology = await service.ontologies.create({
    name: typeof given === "string" ? given : "",
    schema: schema as OntologySchema, // The service checks it.
  });
  return { ontology, left_out: [] };
}

/** The service names the member of the request, which nobody has written who chose a file. */
function ofFile(error: unknown): unknown {
  const message = messageOf(error);
  const member = "content: ";
  if (!message.startsWith(member)) return error;
  return new Error(`The file cannot be read: ${message.slice(member.length)}`, { cause: error });
}

/** What a file says, without keeping an ontology: the service makes one of every file that it reads. */
export async function readOntologyFile(file: OntologyFile): Promise<ImportedOntology> {
  const imported = await importOntology(file);
  await service.ontologies.delete(imported.ontology.id);
  return imported;
}

function parsed(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>; // It is one.
  } catch (error) {
    throw new Error(`The file is not JSON: ${messageOf(error)}`, { cause: error });
  }
  throw new Error("The file is not a JSON object.");
}
