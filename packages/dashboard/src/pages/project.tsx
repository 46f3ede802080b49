import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useParams } from "@tanstack/react-router";
import { ChevronDown } from "lucide-react";
import { projectQuery } from "../api/projects.ts";
import { useMenu } from "../app/use-menu.ts";
import { PageHeader } from "../components/page-header.tsx";
import { ProjectKind } from "../components/project-kind.tsx";
import styles from "./project.module.css";

/** Pages of a project, in the order in which it comes to life. */
const places = [
  { to: "/projects/$projectId", label: "Overview" },
  { to: "/projects/$projectId/ingest", label: "Ingest" },
  { to: "/projects/$projectId/documents", label: "Documents" },
  { to: "/projects/$projectId/ask", label: "Ask" },
  { to: "/projects/$projectId/graph", label: "Graph" },
  { to: "/projects/$projectId/jobs", label: "Jobs" },
  { to: "/projects/$projectId/settings", label: "Settings" },
] as const;

/** A project's name and its pages: beside each other, on a phone behind a button that says which one it is. */
export function ProjectLayout() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { pathname } = useLocation();
  const menu = useMenu();
  const shown = places.filter(({ label }) => label !== "Graph" || project.mode === "kg_vector");
  const here = shown.find(({ to }) => isHere(to, { pathname, projectId }));
  return (
    <>
      <PageHeader title={project.name} badge={<ProjectKind project={project} />} />
      <nav aria-label="Project" className={styles.places} ref={menu.area}>
        <button
          type="button"
          className={styles.toggle}
          ref={menu.button}
          aria-expanded={menu.isOpen}
          aria-controls="project-pages"
          onClick={menu.toggle}
        >
          {here?.label ?? "Pages"} <ChevronDown aria-hidden size={16} />
        </button>
        <div id="project-pages" className={`${styles.tabs} ${menu.isOpen ? styles.open : ""}`}>
          {shown.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true, includeSearch: false }}
              className={`${styles.tab} ${to === here?.to ? styles.here : ""}`}
              {...(to === here?.to ? { "aria-current": "page" } : {})}
              onClick={menu.close}
            >
              {label}
            </Link>
          ))}
        </div>
      </nav>
      <Outlet />
    </>
  );
}

/** One document is a page of its own below the list of them. */
function isHere(
  to: string,
  { pathname, projectId }: { readonly pathname: string; readonly projectId: string },
): boolean {
  const [place, page] = [to.split("/").at(-1), pathname.split("/").at(-1)];
  if (place === "$projectId") return page === projectId;
  return page === place || (place === "documents" && page === "document");
}
