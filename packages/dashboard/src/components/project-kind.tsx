import { Badge } from "./badge.tsx";

/** A badge with the kind of a project, and the name of its ontology if the user chose one. */
export function ProjectKind({
  project,
}: {
  readonly project: OfOntology & { readonly mode: "vector_only" | "kg_vector" };
}) {
  if (project.mode === "vector_only") return <Badge>Search</Badge>;
  const chosen = chosenOntology(project);
  return <Badge kind="accent">{chosen === null ? "Graph" : `Graph · ${chosen}`}</Badge>;
}

interface OfOntology {
  readonly name: string;
  readonly ontology: { readonly name: string } | null;
}

/** The name of the ontology that the user chose; null: none. One that grows from the texts has the name of the project. */
export function chosenOntology({ name, ontology }: OfOntology): string | null {
  return ontology === null || ontology.name === name ? null : ontology.name;
}
