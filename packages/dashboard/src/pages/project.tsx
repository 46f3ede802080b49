import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { projectQuery } from "../api/projects.ts";
import { Badge } from "../components/badge.tsx";
import { PageHeader } from "../components/page-header.tsx";
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
  return (
    <>
      <PageHeader title={project.name}>
        <Badge kind={project.mode === "vector_only" ? "plain" : "accent"}>
          {project.mode === "vector_only" ? "Search" : `Graph · ${project.ontology?.name ?? project.name}`}
        </Badge>
      </PageHeader>
      <nav aria-label="Project" className={styles.tabs}>
        {places
          .filter(({ label }) => label !== "Graph" || project.mode === "kg_vector")
          .map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              params={{ projectId }}
              activeOptions={{ exact: true, includeSearch: false }}
              className={styles.tab ?? ""}
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
