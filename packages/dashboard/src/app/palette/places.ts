/** The places that the palette offers. */

export interface Place {
  readonly id: string;
  readonly label: string;
  /** What it is, in a word or a name. */
  readonly kind: string;
  /** Relative to the base of the pages, with a slash at the beginning. */
  readonly path: string;
}

interface Known {
  readonly projects: readonly { readonly project_id: string; readonly name: string; readonly mode: string }[];
  /** The project that is open; null for none. */
  readonly projectId: string | null;
  readonly documents: readonly { readonly source_doc_id: string }[];
}

/** As many as are seen without scrolling, and a question after them. */
const maxPlaces = 10;
const maxProjects = 4;
const maxDocuments = 5;

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
] as const;

const projectPages = [
  ["Overview", ""],
  ["Ingest", "/ingest"],
  ["Documents", "/documents"],
  ["Ask", "/ask"],
  ["Graph", "/graph"],
  ["Jobs", "/jobs"],
  ["Settings", "/settings"],
] as const;

/** Those with the text in their name; without a text no documents. */
export function placesFor(text: string, { projects, projectId, documents }: Known): readonly Place[] {
  const wanted = text.toLowerCase();
  const fits = ({ label }: Place) => label.toLowerCase().includes(wanted);
  const open = projects.find(({ project_id: id }) => id === projectId);
  const own = open === undefined ? [] : pagesOf(open);
  const found = documents.slice(0, maxDocuments).map(({ source_doc_id: label }) => ({
    id: `document ${label}`,
    label,
    kind: "Document",
    path: `/projects/${projectId}/document?${new URLSearchParams({ id: JSON.stringify(label) })}`,
  }));
  const isExact = ({ label }: Place) => label.toLowerCase() === wanted;
  const exactFirst = (places: readonly Place[]) =>
    places.toSorted((one, other) => Number(isExact(other)) - Number(isExact(one)));
  const fitting = projects
    .map(({ project_id: id, name }) => ({ id, label: name, kind: "Project", path: `/projects/${id}` }))
    .filter(fits);
  const named = exactFirst(fitting).slice(0, maxProjects);
  const all = pages
    .filter(([label, , words]) => `${label} ${words}`.toLowerCase().includes(wanted))
    .map(([label, path]) => ({ id: path, label, kind: "Page", path }));
  // Pages come before what merely contains the text, but without a text the project's own are wanted.
  const listed = text === "" ? [...named, ...all] : [...all, ...named, ...found];
  return [...exactFirst([...own.filter(fits), ...listed]).slice(0, maxPlaces), ...question(text, open)];
}

function pagesOf({ project_id: id, name, mode }: Known["projects"][number]): readonly Place[] {
  const available = projectPages.filter(([label]) => label !== "Graph" || mode === "kg_vector");
  return available.map(([label, path]) => ({
    id: `own ${label}`,
    label,
    kind: name,
    path: `/projects/${id}${path}`,
  }));
}

function question(text: string, open: Known["projects"][number] | undefined): readonly Place[] {
  if (text === "" || open === undefined) return [];
  const search = new URLSearchParams({ question: JSON.stringify(text) });
  return [
    { id: "ask", label: text, kind: `Ask ${open.name}`, path: `/projects/${open.project_id}/ask?${search}` },
  ];
}
