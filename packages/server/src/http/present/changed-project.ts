import type { ChangedProject } from "../../services/project-changes.ts";
import { presentProject } from "../present.ts";
import type { ReadOntologyParts } from "./ontology-parts.ts";
import { presentOntologyMove } from "./ontology-versions.ts";
import { presentReread } from "./reread.ts";

export function presentChangedProject(
  { project, comparison, reread }: ChangedProject,
  readParts: ReadOntologyParts,
) {
  return {
    project: presentProject(project, readParts),
    ontology_changes: comparison === null ? null : presentOntologyMove(comparison),
    reread: reread === null ? null : presentReread(reread),
  };
}
