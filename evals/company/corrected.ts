/** Makes the corrections and the changes of the ontology, one after the other, and counts what then holds. */
import { fold } from "../answers/judge.ts";
import { type Api, ApiError, type JobView, retryRateLimited, waitForJobs } from "../client.ts";
import { type Change, CORRECTIONS, type Expected, type Named, type Stated } from "./corrections.ts";
import type { CompanyFile } from "./files.ts";
import { ONTOLOGY_CHANGES, type OntologyChange } from "./ontology-changes.ts";

interface EntityView {
  readonly entity_id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly properties: Readonly<Record<string, readonly unknown[]>>;
}

interface EdgeView {
  readonly type: string;
  readonly source: { readonly type: string; readonly name: string };
  readonly target: { readonly type: string; readonly name: string };
}

export interface Schema {
  readonly ontology: {
    readonly hierarchy: readonly { readonly node_types: Readonly<Record<string, object>> }[];
    readonly edge_types: readonly {
      readonly name: string;
      readonly source_types: readonly string[];
      readonly target_types: readonly string[];
    }[];
  };
}

interface Place {
  readonly api: Api;
  readonly projectId: string;
  readonly schema: Schema;
  readonly files: readonly CompanyFile[];
}

export interface Outcome {
  readonly what: string;
  /** null: the correction was accepted. */
  readonly refused: string | null;
  /** Of what is expected, in its order: at once, and after the documents were deleted and ingested again. */
  readonly holds: readonly boolean[];
  readonly holdsAgain: readonly boolean[];
}

export async function makeCorrections(place: Place): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { change, expected, again } of CORRECTIONS) {
    const refused = await send(place, change);
    const holds = await check(place, expected);
    const { api, projectId, files } = place;
    const sent = files.filter(({ name }) => again.includes(name));
    if (sent.length !== again.length) throw new Error(`Some of ${again.join(", ")} is no document.`);
    await replaceDocuments(api, projectId, sent);
    const what = `${change.kind} ${describe(expected[0])}`;
    outcomes.push({ what, refused, holds, holdsAgain: await check(place, expected) });
  }
  return outcomes;
}

async function send({ api, projectId, schema }: Place, change: Change): Promise<string | null> {
  const correction = await bodyOf(change, (relationship) => endsOf(relationship, { api, projectId, schema }));
  try {
    await api.request("POST", `/projects/${projectId}/corrections`, { corrections: [correction] });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

async function bodyOf(change: Change, ends: (relationship: Stated) => Promise<object>): Promise<object> {
  switch (change.kind) {
    case "rename":
      return { kind: "rename", entity: change.entity, name: change.to };
    case "retype":
      return { kind: "retype", entity: change.entity, type: change.to };
    case "remove_relationship":
      return { kind: "reject", ...(await ends(change.relationship)) };
    case "reject":
    case "confirm":
    case "add_relationship":
      return { kind: change.kind, ...(await ends(change.relationship)) };
    default:
      return change;
  }
}

/** The ends with the types that they have in the graph, else with the first ones that the ontology allows. */
async function endsOf(
  { source, type, target }: Stated,
  { api, projectId, schema }: Pick<Place, "api" | "projectId" | "schema">,
): Promise<object> {
  const edge = schema.ontology.edge_types.find(({ name }) => name === type);
  const typed = async (name: string, types: readonly string[] = []) => {
    const found = (await findNamed(api, projectId, name)).find((entity) => types.includes(entity.type));
    return { type: found?.type ?? types[0], name };
  };
  return {
    source: await typed(source, edge?.source_types),
    type,
    target: await typed(target, edge?.target_types),
  };
}

async function findNamed(api: Api, projectId: string, name: string): Promise<readonly EntityView[]> {
  const path = `/projects/${projectId}/entities?limit=100&search=${encodeURIComponent(name)}`;
  const { entities } = await api.request<{ entities: EntityView[] }>("GET", path);
  return entities.filter((entity) => namesOf(entity).has(fold(name)));
}

const namesOf = ({ name, aliases }: EntityView) => new Set([name, ...aliases].map(fold));

async function check(place: Place, expected: readonly Expected[]): Promise<readonly boolean[]> {
  const holds: boolean[] = [];
  for (const each of expected) holds.push((await isThere(place, each)) === each.has);
  return holds;
}

async function isThere({ api, projectId }: Place, expected: Expected): Promise<boolean> {
  if ("relationship" in expected) return isStated(api, projectId, expected.relationship);
  const { entity } = expected;
  // By its first name: an entity that was merged is found by its old one, too.
  const shown = (await findNamed(api, projectId, entity.name)).filter(
    ({ type, name }) => type === entity.type && fold(name) === fold(entity.name),
  );
  if ("property" in expected)
    return shown.some(({ properties }) =>
      (properties[expected.property] ?? []).some((value) => String(value) === expected.value),
    );
  const { also } = expected;
  return shown.some((each) => also === undefined || namesOf(each).has(fold(also)));
}

async function isStated(api: Api, projectId: string, { source, type, target }: Stated): Promise<boolean> {
  const ids = new Set((await findNamed(api, projectId, source)).map(({ entity_id: id }) => id));
  for (const id of ids) {
    const path = `/projects/${projectId}/relationships?limit=500&entity_id=${encodeURIComponent(id)}`;
    const { relationships } = await api.request<{ relationships: EdgeView[] }>("GET", path);
    const targets = new Set((await findNamed(api, projectId, target)).map(({ name }) => name));
    if (relationships.some((each) => each.type === type && targets.has(each.target.name))) return true;
  }
  return false;
}

function describe(expected: Expected | undefined): string {
  if (expected === undefined) return "";
  if ("relationship" in expected)
    return `${expected.relationship.source} ${expected.relationship.type} ${expected.relationship.target}`;
  return describeNamed(expected.entity);
}

const describeNamed = ({ type, name }: Named) => `${type} ${name}`;

/** Each change is a version of the ontology, to which the project moves. */
export async function changeOntology(
  place: Place & { readonly ontologyId: string; readonly name: string },
): Promise<readonly Outcome[]> {
  const { api, projectId, ontologyId, name } = place;
  const outcomes: Outcome[] = [];
  let { schema } = place;
  for (const { change, expected } of ONTOLOGY_CHANGES) {
    schema = changed(schema, change);
    const { version } = await api.request<{ version: number }>("PUT", `/ontologies/${ontologyId}`, {
      name,
      schema,
    });
    const move = { ontology_version: version };
    await retryRateLimited(() => api.request("PATCH", `/projects/${projectId}`, move));
    await untilRead(api, projectId);
    const holds = await check(place, expected);
    outcomes.push({ what: change.kind, refused: null, holds, holdsAgain: holds });
  }
  return outcomes;
}

function changed(schema: Schema, change: OntologyChange): Schema {
  const { hierarchy, edge_types } = schema.ontology;
  if (change.kind === "add_edge_type")
    return { ontology: { hierarchy, edge_types: [...edge_types, change.edge_type] } };
  const renamed = (type: string) => (type === change.from ? change.to : type);
  return {
    ontology: {
      hierarchy: hierarchy.map((level) => ({
        ...level,
        node_types: Object.fromEntries(
          Object.entries(level.node_types).map(([type, about]) => [renamed(type), about]),
        ),
      })),
      edge_types: edge_types.map((edge) => ({
        ...edge,
        source_types: edge.source_types.map(renamed),
        target_types: edge.target_types.map(renamed),
      })),
    },
  };
}

const POLL_MS = 500;

async function untilRead(api: Api, projectId: string): Promise<void> {
  for (;;) {
    const { status } = await api.request<{ status: string }>("GET", `/projects/${projectId}/reread`);
    if (status !== "running" && status !== "pending") return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Sends the files, and waits until they are ingested. */
export async function upload(
  api: Api,
  projectId: string,
  files: readonly CompanyFile[],
): Promise<readonly JobView[]> {
  const form = new FormData();
  for (const { name, bytes } of files) form.append("files", new Blob([bytes]), name);
  const { jobs } = await retryRateLimited(() =>
    api.request<{ jobs: JobView[] }>("POST", `/projects/${projectId}/files`, form),
  );
  return waitForJobs(api, { projectId, waiting: new Set(jobs.map(({ job_id }) => job_id)) });
}

async function replaceDocuments(api: Api, projectId: string, files: readonly CompanyFile[]): Promise<void> {
  for (const { name } of files)
    await api.request("DELETE", `/projects/${projectId}/documents/${encodeURIComponent(name)}`);
  await upload(api, projectId, files);
}
