import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { isId, newId } from "../domain/ids.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Once } from "../domain/once.ts";
import type { Ontology, OntologySummary } from "../domain/ontology.ts";
import type { CheckedSchema } from "../domain/ontology-check.ts";
import type { Page, Store } from "../ports/store.ts";
import { accountCapReached, storageFull } from "./caps.ts";
import { listInSteps } from "./list-in-steps.ts";
import { createOnce } from "./once.ts";
import type { FindOntology } from "./ontology-reader.ts";
import type { SuggestForCaller } from "./suggestions.ts";

export interface NewOntology extends CheckedSchema {
  readonly name: string;
}

export interface OntologyService {
  /** @throws ServiceError `invalid_input` for a schema with faults */
  create(caller: Caller, input: NewOntology, once?: Once<Ontology>): Promise<Ontology>;
  /** Newest first, in steps. */
  list(caller: Caller, page: Page | null): AsyncIterable<readonly OntologySummary[]>;
  /** Without a version the newest. @throws ServiceError `not_found` */
  get(caller: Caller, ontologyId: string, version?: number | null): Promise<Ontology>;
  /** Stores nothing. @throws ServiceError `invalid_input` that says what the use case lacks, `internal` when the model fails */
  readonly suggest: SuggestForCaller;
}

export function createOntologyService(deps: {
  readonly store: Store;
  readonly findOntology: FindOntology;
  readonly limits: AccountLimits;
  readonly signUp: "open" | "closed";
  readonly suggest: SuggestForCaller;
  readonly now: () => number;
}): OntologyService {
  const { store, limits } = deps;
  return {
    async create(caller, { name, schemaJson, faults, allowedFacts }, once) {
      if (faults !== null) throw errors.invalidInput(faults);
      const ontology: Ontology = {
        ontologyId: newId("ont"),
        accountId: caller.accountId,
        name,
        createdAt: deps.now(),
        schemaJson,
        version: 1,
      };
      const { accountId, createdAt: now } = ontology;
      const input = {
        ...{ ontology, allowedFacts },
        maxPerAccount: limits.ontologies,
        maxStoredBytes: limits.storedBytes,
      };
      const outcome = await createOnce<"createOntology">(
        store,
        { name: "createOntology", input },
        once === undefined ? null : { accountId, now, key: once, answer: once.answerOf(ontology) },
      );
      if (outcome === "too_many") throw accountCapReached("ontologies", limits.ontologies, deps.signUp);
      if (outcome === "too_many_bytes") throw storageFull();
      return ontology;
    },

    list: ({ accountId }, page) => listInSteps(page, (step) => store.listOntologies({ accountId, ...step })),

    async get(caller, ontologyId, version) {
      const ontology = isId("ont", ontologyId)
        ? await deps.findOntology({ accountId: caller.accountId, ontologyId, version: version ?? null })
        : null;
      if (ontology === null) throw errors.ontologyNotFound();
      return ontology;
    },

    suggest: deps.suggest,
  };
}
