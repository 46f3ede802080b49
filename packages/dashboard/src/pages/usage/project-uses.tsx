import type { Usage } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { projectsQuery } from "../../api/projects.ts";
import { DeletedProject } from "../../components/deleted-project.tsx";
import { type Column, Table } from "../../components/table.tsx";

interface ProjectUse {
  /** null for usage of deleted projects and without a project. */
  readonly id: string | null;
  /** null for a deleted project. */
  readonly name: string | null;
  readonly tokens: number;
  readonly documents: number;
  readonly queries: number;
}

/** The usage of each project, the most tokens first. */
export function ProjectUses({ days }: { readonly days: Usage["days"] }) {
  const { data } = useQuery(projectsQuery);
  const names = new Map(data?.projects.map(({ project_id: id, name }) => [id, name]));
  const uses = new Map<string | null, ProjectUse>();
  for (const { project_id: id, tokens, model_tokens: modelTokens, documents, queries } of days) {
    const before = uses.get(id) ?? { id, name: null, tokens: 0, documents: 0, queries: 0 };
    uses.set(id, {
      id,
      name: id === null ? null : (names.get(id) ?? null),
      tokens: before.tokens + tokens + modelTokens,
      documents: before.documents + documents,
      queries: before.queries + queries,
    });
  }
  return (
    <Table
      label="By project"
      columns={columns}
      rows={[...uses.values()].sort((a, b) => b.tokens - a.tokens)}
      keyOf={({ id }) => id ?? ""}
    />
  );
}

const columns: readonly Column<ProjectUse>[] = [
  {
    title: "Project",
    cell: ({ id, name }) =>
      id === null ? (
        "Deleted projects, ontology suggestions"
      ) : name === null ? (
        <DeletedProject id={id} />
      ) : (
        <Link to="/projects/$projectId" params={{ projectId: id }}>
          {name}
        </Link>
      ),
  },
  { title: "Tokens", isNumber: true, cell: ({ tokens }) => tokens.toLocaleString("en") },
  { title: "Documents", isNumber: true, cell: ({ documents }) => documents.toLocaleString("en") },
  { title: "Questions", isNumber: true, cell: ({ queries }) => queries.toLocaleString("en") },
];
