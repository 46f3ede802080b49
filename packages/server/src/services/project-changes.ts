/** Changes of a project: its name, and the ontology that it is bound to. */
import type { Caller } from "../domain/account.ts";
import { MAX_CORRECTION_BYTES } from "../domain/correction.ts";
import { errors } from "../domain/errors.ts";
import { isId } from "../domain/ids.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { OntologyComparison } from "../domain/ontology/compare.ts";
import type { Ontology } from "../domain/ontology.ts";
import type { Project } from "../domain/project.ts";
import type { TypeNames } from "../domain/renamed-types.ts";
import type { Reread } from "../domain/reread.ts";
import type { BindOutcome } from "../ports/ontology-version-store.ts";
import type { Store } from "../ports/store.ts";
import { readCorrectionTypes } from "./correction-examples.ts";
import { monthOf, requireAccepted } from "./ingestion.ts";
import { afterKept } from "./kept-changes.ts";
import type { FindOntology } from "./ontology-reader.ts";
import type { CompareOntologies } from "./ontology-versions.ts";
import type { ProjectService, ProjectWithOntology } from "./projects.ts";
import type { RereadingService } from "./rereading.ts";

export interface ProjectChange {
  readonly name: string | undefined;
  readonly ontologyId: string | undefined;
  /** Without an ontology that of the project. */
  readonly ontologyVersion: number | undefined;
  /** Nothing is changed. */
  readonly isDryRun: boolean;
}

export interface ChangedProject {
  readonly project: ProjectWithOntology;
  /** What the new ontology means for the graph; null unless one was given. */
  readonly comparison: OntologyComparison | null;
  /** The reread that was started for it; null when nothing had to be read. */
  readonly reread: Reread | null;
}

export interface ProjectChangeService {
  /**
   * Binds the project to an ontology and starts to read its documents again under it, unless it reads them as the present one does. Until then each document is answered from what
   * the earlier ontology found.
   * @throws ServiceError `not_found` for an ontology or version, `conflict` while work on the project runs
   */
  change(caller: Caller, projectId: string, input: () => ProjectChange): Promise<ChangedProject>;
}

export function createProjectChangeService(deps: {
  readonly store: Pick<Store, "bindOntology" | "readGraphTypes" | "readProposalTypes" | "listChanges">;
  readonly projects: Pick<ProjectService, "get" | "rename">;
  readonly rereading: Pick<RereadingService, "get">;
  readonly findOntology: FindOntology;
  readonly compareOntologies: CompareOntologies;
  readonly limits: AccountLimits;
  readonly requestsPerMinute: number | null;
  readonly tokenLimit: number | null;
  readonly now: () => number;
  /** Called after jobs were queued; wakes the worker. */
  readonly onAccepted: () => void;
}): ProjectChangeService {
  const { store, projects, limits } = deps;

  async function findTarget(
    { accountId }: Caller,
    { project }: ProjectWithOntology,
    { ontologyId, ontologyVersion }: ProjectChange,
  ): Promise<Ontology | null> {
    if (ontologyId === undefined && ontologyVersion === undefined) return null;
    if (project.mode === "vector_only") throw errors.vectorOnlyWithOntology();
    const id = ontologyId ?? project.ontologyId;
    if (id === null) throw errors.projectHasNoOntology();
    const version = ontologyVersion ?? null;
    const target = isId("ont", id) ? await deps.findOntology({ accountId, ontologyId: id, version }) : null;
    if (target === null) throw errors.ontologyNotAccessible();
    return target;
  }

  /** Whether a reread was started. */
  async function bind(
    { accountId }: Caller,
    projectId: string,
    {
      target,
      isSame,
      names,
      follows,
    }: { target: Ontology; isSame: boolean; names: TypeNames; follows: Project },
  ): Promise<boolean> {
    const now = deps.now();
    const { ontologyId, version } = target;
    const outcome = await store.bindOntology({
      ...{ projectId, accountId, ontologyId, version, isSame, now, month: monthOf(now) },
      ...{ follows: { ontologyId: follows.ontologyId, ontologyVersion: follows.ontologyVersion } },
      ...{ names, maxCorrectionBytes: MAX_CORRECTION_BYTES },
      requestsPerMinute: deps.requestsPerMinute,
      tokenLimit: deps.tokenLimit,
      maxPendingJobs: limits.pendingJobs,
      maxStoredBytes: limits.storedBytes,
    });
    const isReread = requireBound(outcome, projectId);
    if (isReread) deps.onAccepted();
    return isReread;
  }

  return {
    async change(caller, projectId, input) {
      const found = await projects.get(caller, projectId);
      const change = input();
      const target = await findTarget(caller, found, change);
      const schemas = { before: found.ontology?.schemaJson ?? "{}", after: target?.schemaJson ?? "{}" };
      const comparison =
        target === null
          ? null
          : await deps.compareOntologies(caller.accountId, schemas, {
              ...(await store.readGraphTypes({ projectId })),
              proposals: await store.readProposalTypes({ projectId }),
              corrections: await readCorrectionTypes(store, projectId),
            });
      if (change.isDryRun) return { project: found, comparison, reread: null };
      const { ontologyId, ontologyVersion } = found.project;
      const isBound = target?.ontologyId === ontologyId && target?.version === ontologyVersion;
      const names = comparison?.names ?? { nodes: [], edges: [] };
      const isMoved = target !== null && !isBound;
      // A graph without an ontology is read in another way than under one without types.
      const isSame = found.ontology !== null && comparison?.isSame === true;
      const isReread =
        isMoved && (await bind(caller, projectId, { target, isSame, names, follows: found.project }));
      if (change.name !== undefined) {
        const { name } = change;
        const rename = () => projects.rename(caller, projectId, () => name);
        await (isMoved ? afterKept("The project is bound, but not renamed.", rename) : rename());
      }
      return {
        project: await projects.get(caller, projectId),
        comparison,
        reread: isReread ? await deps.rereading.get(caller, projectId) : null,
      };
    },
  };
}

/** Whether a reread was started. @throws ServiceError where the project is bound as before */
function requireBound(outcome: BindOutcome, projectId: string): boolean {
  switch (outcome.kind) {
    case "working":
    case "rereading":
    case "moving":
      throw errors.projectAtWork(outcome.kind);
    case "bound_otherwise":
      throw errors.boundOtherwise();
    case "ontology_gone":
      throw errors.ontologyNotAccessible();
    case "corrections_too_long":
      throw errors.correctionsTooLong(MAX_CORRECTION_BYTES);
    case "bound":
      return false;
    default:
      requireAccepted(outcome, projectId);
      return true;
  }
}
