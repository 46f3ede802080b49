import { Badge } from "./badge.tsx";

/** What a project keeps, and the ontology's name where it is one that was chosen. */
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
  // Types that come from the texts go by the name of the project.
  const isChosen = ontology !== null && ontology.name !== name;
  return <Badge kind="accent">{isChosen ? `Graph · ${ontology.name}` : "Graph"}</Badge>;
}
