/** Versions of ontologies: made, listed, compared and deleted with their ontology. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { isId } from "../domain/ids.ts";
import type { AccountLimits } from "../domain/limits.ts";
import { NO_GRAPH, type OntologyComparison, type TypesOfGraph } from "../domain/ontology/compare.ts";
import type { Ontology, OntologyVersion } from "../domain/ontology.ts";
import type { Store } from "../ports/store.ts";
import { storageFull } from "./caps.ts";
import type { NewOntology, OntologyService } from "./ontologies.ts";

/** Runs in another thread, because reading a large schema takes tens of milliseconds. */
export type CompareOntologies = (
  accountId: string,
  schemas: { readonly before: string; readonly after: string },
  graph: TypesOfGraph,
) => Promise<OntologyComparison>;

export interface VersionPair {
  /** null: the version before `after`. */
  readonly before: number | null;
  /** null: the newest. */
  readonly after: number | null;
}

export interface OntologyVersionService {
  /**
   * Makes a new version. The newest version with the same name and schema is returned unchanged. `follows`: the version that it is made from.
   * @throws ServiceError `not_found`, `conflict` for too many versions or when another follows, `invalid_input` for a schema with faults
   */
  replace(
    caller: Caller,
    ontologyId: string,
    input: () => NewOntology & { readonly follows?: number },
  ): Promise<Ontology>;
  /** Newest first. @throws ServiceError `not_found` */
  list(caller: Caller, ontologyId: string): Promise<readonly OntologyVersion[]>;
  /** @throws ServiceError `not_found`, also for a version */
  compare(
    caller: Caller,
    ontologyId: string,
    pair: VersionPair,
  ): Promise<{ readonly before: number; readonly after: number; readonly comparison: OntologyComparison }>;
  /** @throws ServiceError `not_found`, `conflict` while a project is bound to it */
  delete(caller: Caller, ontologyId: string): Promise<void>;
}

export function createOntologyVersionService(deps: {
  readonly store: Pick<Store, "addOntologyVersion" | "listOntologyVersions" | "deleteOntology">;
  readonly ontologies: Pick<OntologyService, "get">;
  readonly compareOntologies: CompareOntologies;
  readonly limits: AccountLimits;
  readonly now: () => number;
  /** Called after an ontology was deleted; starts upkeep. */
  readonly onDeleted: () => void;
}): OntologyVersionService {
  const { store, ontologies, limits } = deps;

  async function list({ accountId }: Caller, ontologyId: string): Promise<readonly OntologyVersion[]> {
    const versions = isId("ont", ontologyId)
      ? await store.listOntologyVersions({ accountId, ontologyId })
      : [];
    if (versions.length === 0) throw errors.ontologyNotFound();
    return versions;
  }

  return {
    async replace(caller, ontologyId, input) {
      const versions = await list(caller, ontologyId);
      const { name, schemaJson, faults, allowedFacts, follows } = input();
      if (faults !== null) throw errors.invalidInput(faults);
      const outcome = await store.addOntologyVersion({
        ...{ accountId: caller.accountId, ontologyId, name, schemaJson, now: deps.now() },
        ...{ allowedFacts, ...(follows === undefined ? {} : { follows }) },
        maxStoredBytes: limits.storedBytes,
      });
      switch (outcome.kind) {
        case "not_found":
          throw errors.ontologyNotFound();
        case "changed":
          throw errors.ontologyChanged();
        case "too_many_versions":
          throw errors.tooManyOntologyVersions(versions.length);
        case "too_many_bytes":
          throw storageFull();
        default:
          return outcome.ontology;
      }
    },

    list,

    async compare(caller, ontologyId, pair) {
      const after = await ontologies.get(caller, ontologyId, pair.after);
      const earlier = pair.before ?? Math.max(1, after.version - 1);
      const before = await ontologies.get(caller, ontologyId, earlier);
      const schemas = { before: before.schemaJson, after: after.schemaJson };
      const comparison = await deps.compareOntologies(caller.accountId, schemas, NO_GRAPH);
      return { before: before.version, after: after.version, comparison };
    },

    async delete({ accountId }, ontologyId) {
      if (!isId("ont", ontologyId)) throw errors.ontologyNotFound();
      const outcome = await store.deleteOntology({ accountId, ontologyId });
      if (outcome.kind === "not_found") throw errors.ontologyNotFound();
      if (outcome.kind === "bound") throw errors.ontologyBound(outcome.projects);
      deps.onDeleted();
    },
  };
}
