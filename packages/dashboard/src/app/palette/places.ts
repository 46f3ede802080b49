/** The places that the palette offers. */

export interface Place {
  readonly id: string;
  readonly label: string;
  /** What it is, in a word or a name. */
  readonly kind: string;
  readonly goal: Goal;
}

/** `path` is relative to the base of the pages, with a slash at the beginning. */
export type Goal = { readonly path: string } | { readonly command: Command };
export type Command = "light" | "dark" | "system" | "shortcuts" | "reference" | "sign-out";

interface Known {
  readonly projects: readonly { readonly project_id: string; readonly name: string; readonly mode: string }[];
  /** The project that is open; null for none. */
  readonly projectId: string | null;
  readonly documents: readonly { readonly source_doc_id: string }[];
  readonly entities: readonly { readonly entity_id: string; readonly name: string; readonly type: string }[];
}

/** As many as are seen without scrolling, and a question after them. */
const maxPlaces = 10;
const maxProjects = 4;
/** Documents, and entities. */
export const maxFound = 4;

/** The last text has other words for it. */
const pages = [
  ["Projects", "/projects", ""],
  ["Ontologies", "/ontologies", "schemas types"],
  ["New ontology", "/ontologies/new", ""],
  ["Suggest an ontology", "/ontologies/suggest", ""],
  ["API keys", "/api-keys", "tokens"],
  ["Agents", "/agents", "mcp claude cursor"],
  ["Webhooks", "/webhooks", "events"],
  ["Usage", "/usage", "limits tokens"],
  ["Your account", "/account", "password e-mail"],
  ["New project", "/projects?new=true", "create add"],
] as const;

const commands = [
  ["Light theme", "light", "colours bright mode"],
  ["Dark theme", "dark", "colours night mode"],
  ["Theme of the system", "system", "colours light dark mode"],
  ["Keyboard shortcuts", "shortcuts", "keys help"],
  ["API reference", "reference", "docs documentation help openapi endpoints"],
  ["Sign out", "sign-out", "log out logout leave"],
] as const satisfies readonly (readonly [string, Command, string])[];

const projectPages = [
  ["Overview", "", "home size numbers"],
  ["Ingest", "/ingest", "add upload import send files"],
  ["Documents", "/documents", "files texts"],
  ["Ask", "/ask", "query question search"],
  ["Graph", "/graph", "map entities relationships"],
  ["Corrections", "/corrections", "mistakes wrong"],
  ["Jobs", "/jobs", "queue progress failures"],
  ["Settings", "/settings", "rename export delete ontology"],
] as const;
/** Pages that only a project with a graph has. */
const ofGraph: ReadonlySet<string> = new Set(["Graph", "Corrections"]);

/** Those with the text in their name, or in other words for them; without a text no documents, entities and commands. */
export function placesFor(text: string, known: Known): readonly Place[] {
  const { projects, projectId } = known;
  const wanted = text.toLowerCase();
  const fits = ({ label }: Place) => label.toLowerCase().includes(wanted);
  const open = projects.find(({ project_id: id }) => id === projectId);
  const own = open === undefined ? [] : pagesOf(open, wanted);
  const isExact = ({ label }: Place) => label.toLowerCase() === wanted;
  const exactFirst = (places: readonly Place[]) =>
    places.toSorted((one, other) => Number(isExact(other)) - Number(isExact(one)));
  const fitting = projects
    .map(({ project_id: id, name }) => ({
      id,
      label: name,
      kind: "Project",
      goal: { path: `/projects/${id}` },
    }))
    .filter(fits);
  const named = exactFirst(fitting).slice(0, maxProjects);
  const all = pages
    .filter(([label, , words]) => isCalled(wanted, label, words))
    .map(([label, path]) => ({ id: path, label, kind: "Page", goal: { path } }));
  // Pages come before what merely contains the text, but without a text the project's own are wanted.
  const listed =
    text === "" ? [...named, ...all] : [...all, ...named, ...commandsFor(wanted), ...foundIn(known)];
  return [...exactFirst([...own, ...listed]).slice(0, maxPlaces), ...question(text, open)];
}

function isCalled(wanted: string, label: string, words: string): boolean {
  return `${label} ${words}`.toLowerCase().includes(wanted);
}

function pagesOf(
  { project_id: id, name, mode }: Known["projects"][number],
  wanted: string,
): readonly Place[] {
  return projectPages
    .filter(
      ([label, , words]) => (mode === "kg_vector" || !ofGraph.has(label)) && isCalled(wanted, label, words),
    )
    .map(([label, path]) => ({
      id: `own ${label}`,
      label,
      kind: name,
      goal: { path: `/projects/${id}${path}` },
    }));
}

function commandsFor(wanted: string): readonly Place[] {
  return commands
    .filter(([label, , words]) => isCalled(wanted, label, words))
    .map(([label, command]) => ({ id: `command ${command}`, label, kind: "Command", goal: { command } }));
}

/** In the open project. */
function foundIn({ projectId, documents, entities }: Known): readonly Place[] {
  const pageOf = (page: string, id: string) => ({
    path: `/projects/${projectId}/${page}?${new URLSearchParams({ id: JSON.stringify(id) })}`,
  });
  return [
    ...entities.slice(0, maxFound).map(({ entity_id: id, name, type }) => ({
      ...{ id: `entity ${id}`, label: name, kind: type },
      goal: pageOf("entity", id),
    })),
    ...documents.slice(0, maxFound).map(({ source_doc_id: id }) => ({
      ...{ id: `document ${id}`, label: id, kind: "Document" },
      goal: pageOf("document", id),
    })),
  ];
}

function question(text: string, open: Known["projects"][number] | undefined): readonly Place[] {
  if (text === "" || open === undefined) return [];
  const search = new URLSearchParams({ question: JSON.stringify(text) });
  return [
    {
      ...{ id: "ask", label: text, kind: `Ask ${open.name}` },
      goal: { path: `/projects/${open.project_id}/ask?${search}` },
    },
  ];
}
