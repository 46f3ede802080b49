/** Puts what people have confirmed into the ontology of a project, as its next version. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { AddedExamples, CheckedExamples, CorrectionExamples } from "../domain/ontology/with-examples.ts";
import type { Ontology } from "../domain/ontology.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { readExamples } from "./correction-examples.ts";
import { afterKept } from "./kept-changes.ts";
import type { OntologyService } from "./ontologies.ts";
import type { OntologyVersionService } from "./ontology-versions.ts";
import type { ChangedProject, ProjectChangeService } from "./project-changes.ts";

/** Large ontologies take too long for the main thread. */
export type AddExamples = (
  accountId: string,
  examples: CorrectionExamples,
  schemaJson: string,
) => Promise<CheckedExamples>;

export interface OntologyWithExamples {
  /** The newest version, which has the examples. */
  readonly ontology: Ontology;
  readonly nodeTypes: readonly AddedExamples[];
  readonly edgeTypes: readonly AddedExamples[];
  /** What the move to this version means; null when it was not asked for. */
  readonly moved: ChangedProject | null;
}

export interface OntologyExampleService {
  /**
   * The newest version of the project's ontology with the examples as the next one; the newest itself where it has them all. The project
   * stays bound to its version unless `isBinding`. A call that failed while binding can be repeated.
   * @throws ServiceError `conflict` without an ontology, and as `OntologyVersionService.replace` and `ProjectChangeService.change`
   */
  addExamples(caller: Caller, projectId: string, isBinding: () => boolean): Promise<OntologyWithExamples>;
}

export function createOntologyExampleService({
  store,
  ontologies,
  versions,
  projectChanges,
  addExamples,
}: {
  readonly store: Pick<Store, "findProject" | "listChanges">;
  readonly ontologies: Pick<OntologyService, "get">;
  readonly versions: Pick<OntologyVersionService, "replace">;
  readonly projectChanges: ProjectChangeService;
  readonly addExamples: AddExamples;
}): OntologyExampleService {
  return {
    async addExamples(caller, projectId, isBinding) {
      const { ontologyId } = await requireProject(store, { projectId, caller });
      const isMoved = isBinding();
      if (ontologyId === null) throw errors.noOntologyOfProject();
      const { name, version, schemaJson } = await ontologies.get(caller, ontologyId);
      const examples = await readExamples(store, projectId);
      const { nodeTypes, edgeTypes, ...checked } = await addExamples(caller.accountId, examples, schemaJson);
      const ontology = await versions.replace(caller, ontologyId, () => ({
        ...{ name, ...checked, follows: version },
      }));
      const target = { name: undefined, ontologyId, ontologyVersion: ontology.version, isDryRun: false };
      const bind = () => projectChanges.change(caller, projectId, () => target);
      const kept = `Version ${ontology.version} of the ontology has the examples, but the project is not bound to it.`;
      const moved = isMoved ? await afterKept(kept, bind) : null;
      return { ontology, nodeTypes, edgeTypes, moved };
    },
  };
}
