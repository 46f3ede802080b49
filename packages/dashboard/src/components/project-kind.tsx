import { Badge } from "./badge.tsx";

/** A badge with the kind of a project, and the name of its ontology if the user chose one. */
export function ProjectKind({
  project: { name, mode, ontology },
}: {
  readonly project: {
    readonly name: string;
    readonly mode: "vector_only" | "kg_vector";
    readonly ontology: { readonly name: string } | null;
  };
}) {
  if (mode === "vector_only") return <Badge>Search</Badge>;
  // An ontology that grows from the texts has the name of the project.
  const isChosen = ontology !== null && ontology.name !== name;
  return <Badge kind="accent">{isChosen ? `Graph · ${ontology.name}` : "Graph"}</Badge>;
}
