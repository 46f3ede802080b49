import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useParams } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { entityQuery } from "../api/graph.ts";
import { projectQuery } from "../api/projects.ts";
import { ProjectCrumbs } from "../app/project-switcher.tsx";
import { useMenu } from "../app/use-menu.ts";
import { PageHeader } from "../components/page-header.tsx";
import { ProjectKind } from "../components/project-kind.tsx";
import { BusyBar } from "../jobs/busy-bar.tsx";
import styles from "./project.module.css";

/** The pages of a project, in the order in which a new project needs them. */
const pages = [
  { to: "/projects/$projectId", label: "Overview" },
  { to: "/projects/$projectId/ingest", label: "Ingest" },
  { to: "/projects/$projectId/documents", label: "Documents" },
  { to: "/projects/$projectId/ask", label: "Ask" },
  { to: "/projects/$projectId/graph", label: "Graph" },
  { to: "/projects/$projectId/jobs", label: "Jobs" },
  { to: "/projects/$projectId/settings", label: "Settings" },
] as const;

/** Pages that say themselves how far the jobs are. */
const showsProgress: ReadonlySet<string> = new Set(["Ingest", "Jobs"]);

/** The name of a project and links to its pages; on a phone the links are behind a button that names the current page. */
export function ProjectLayout() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { pathname, search } = useLocation();
  const menu = useMenu();
  const available = pages.filter(({ label }) => label !== "Graph" || project.mode === "kg_vector");
  const current = available.find(({ to }) => isCurrent(to, { pathname, projectId }));
  const place = pathname.split("/").at(-1) ?? "";
  const renamed = useEntityName(projectId, place, search);
  const subject = renamed ?? subjectOf(place, search);
  const named = subject ?? current?.label;
  return (
    <>
      <ProjectCrumbs
        project={project}
        place={current?.to.split("/")[3] ?? ""}
        page={current === undefined || current.label === "Overview" ? null : current}
        subject={subject}
      />
      <PageHeader
        title={project.name}
        windowTitle={named === undefined ? project.name : `${named} · ${project.name}`}
        badge={<ProjectKind project={project} />}
      />
      <nav aria-label="Project" className={styles.places} ref={menu.area}>
        <button
          type="button"
          className={styles.toggle}
          ref={menu.button}
          aria-expanded={menu.isOpen}
          aria-controls="project-pages"
          onClick={menu.toggle}
        >
          {current?.label ?? "Pages"} <ChevronDown aria-hidden size={16} />
        </button>
        <div id="project-pages" className={`${styles.tabs} ${menu.isOpen ? styles.open : ""}`}>
          {available.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true, includeSearch: false }}
              className={`${styles.tab} ${to === current?.to ? styles.here : ""}`}
              {...(to === current?.to ? { "aria-current": "page" } : {})}
              onClick={menu.close}
            >
              {label}
            </Link>
          ))}
        </div>
      </nav>
      {!showsProgress.has(current?.label ?? "") && <BusyBar projectId={projectId} />}
      <Outlet />
    </>
  );
}

/** What the entity that a page is about is called now: the address can have a name that texts use. null: it is about none, or it is not read yet. */
function useEntityName(
  projectId: string,
  place: string,
  { id, entity, asOf }: Readonly<Record<string, unknown>>,
): string | null {
  const chosen = place === "entity" ? id : place === "graph" ? entity : undefined;
  const { data } = useQuery({
    ...entityQuery(projectId, String(chosen), typeof asOf === "string" ? asOf : undefined),
    enabled: typeof chosen === "string" && chosen !== "",
  });
  return data?.name ?? null;
}

/** The document, entity or question that a page is about: the address has it; null for none. */
function subjectOf(
  page: string,
  { id, name, called, question }: Readonly<Record<string, unknown>>,
): string | null {
  const named = { document: id, entity: name, graph: called, ask: question, corrections: "Corrections" }[
    page
  ];
  return typeof named === "string" && named !== "" ? named : null;
}

/** The page of a single document counts as part of the list of documents, that of an entity and the corrections as part of the graph. */
function isCurrent(
  to: string,
  { pathname, projectId }: { readonly pathname: string; readonly projectId: string },
): boolean {
  const [place, page] = [to.split("/").at(-1), pathname.split("/").at(-1)];
  if (place === "$projectId") return page === projectId;
  if (place === "graph" && (page === "entity" || page === "corrections")) return true;
  return page === place || (place === "documents" && page === "document");
}
