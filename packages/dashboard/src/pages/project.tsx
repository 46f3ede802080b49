import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useParams } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { projectQuery } from "../api/projects.ts";
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

/** A project's name and its pages. */
export function ProjectLayout() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const tabs = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, another tab.
  useEffect(() => {
    // On a phone not all tabs fit beside each other.
    tabs.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [pathname]);
  return (
    <>
      <PageHeader title={project.name}>
        <ProjectKind project={project} />
      </PageHeader>
      <nav aria-label="Project" className={styles.tabs} ref={tabs}>
        {places
          .filter(({ label }) => label !== "Graph" || project.mode === "kg_vector")
          .map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true, includeSearch: false }}
              className={`${styles.tab} ${isAbove(to, pathname) ? styles.here : ""}`}
              activeProps={{ className: styles.here ?? "" }}
            >
              {label}
            </Link>
          ))}
      </nav>
      <Outlet />
    </>
  );
}

/** One document is a page of its own below the list of them. */
function isAbove(to: string, pathname: string): boolean {
  return to.endsWith("/documents") && pathname.endsWith("/document");
}
