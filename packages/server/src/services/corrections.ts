/** Corrections of a project's graph. */
import { setImmediate as turn } from "node:timers/promises";
import type { Caller } from "../domain/account.ts";
import {
  type Correction,
  type CorrectionChange,
  type CorrectionKind,
  type CorrectionRule,
  MAX_CORRECTION_BYTES,
  MAX_CORRECTION_NAMES,
  MAX_CORRECTIONS,
  MAX_NAME_CHARACTERS,
  MAX_NAMES,
  type NamedEntity,
  ruleOf,
  type TypedName,
} from "../domain/correction.ts";
import { errors } from "../domain/errors.ts";
import type { EntityKey } from "../domain/graph.ts";
import { isId, newId } from "../domain/ids.ts";
import type { AccountLimits } from "../domain/limits.ts";
import { AlreadyAnswered, type Once } from "../domain/once.ts";
import type { CorrectionExamples } from "../domain/ontology/with-examples.ts";
import type { TypeNames } from "../domain/renamed-types.ts";
import { momentOf } from "../domain/validity.ts";
import { normalizeName } from "../engine/text/names/normal-form.ts";
import { type CorrectionList, MAX_CONCERNED, MAX_PAIRS } from "../ports/correction-store.ts";
import type { Log } from "../ports/log.ts";
import type { Page, Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { storageFull } from "./caps.ts";
import { takeEnds } from "./confirmed-ends.ts";
import type { CorrectionsToCheck } from "./correction-checks.ts";
import { readExamples } from "./correction-examples.ts";
import { entitiesOf, type GivenCorrection, type GivenEntity } from "./given-correction.ts";
import { applyChanges, followKeptChange } from "./kept-changes.ts";
import {
  type CorrectionEvidence,
  type CorrectionWithConflicts,
  countConflicts,
  readEvidence,
} from "./later-evidence.ts";
import { createOnce, replayAnswer } from "./once.ts";

/** Large ontologies take too long for the main thread. */
export interface CorrectionThread {
  /** As `checkCorrections`. */
  check(accountId: string, given: CorrectionsToCheck, schemaJson: string | null): Promise<TypeNames>;
}

export interface CorrectionSearch {
  readonly kind: CorrectionKind | null;
  readonly withoutEvidence: boolean;
  readonly newestFirst: boolean;
  readonly page: Page;
}

/** Parameters are functions that are called after the access check, so that callers without access learn nothing from validation errors. */
export interface CorrectionService {
  /** Returns when the graph has followed, at the latest after `FOLLOW_MS`, or when the database fails meanwhile. @throws ServiceError `invalid_input` for what the project's ontology does not allow */
  create(
    caller: Caller,
    projectId: string,
    given: () => readonly GivenCorrection[],
    once?: Once<readonly Correction[]>,
  ): Promise<readonly Correction[]>;
  list(
    caller: Caller,
    projectId: string,
    search: () => CorrectionSearch,
  ): Promise<
    Omit<CorrectionList, "corrections"> & { readonly corrections: readonly CorrectionWithConflicts[] }
  >;
  /** What later texts say of it. @throws ServiceError `not_found` */
  readEvidence(
    caller: Caller,
    target: { readonly projectId: string; readonly correctionId: string },
  ): Promise<CorrectionEvidence>;
  /** Corrections as examples of types; the newest of each. */
  listExamples(caller: Caller, projectId: string): Promise<CorrectionExamples>;
  /** Returns as `create` does. @throws ServiceError `not_found` */
  undo(caller: Caller, projectId: string, correctionId: string): Promise<void>;
}

/** Shorter than what proxies wait. */
const FOLLOW_MS = 20_000;

export function createCorrectionService(deps: {
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly thread: CorrectionThread;
  readonly now: () => number;
  readonly log: Pick<Log, "warn">;
}): CorrectionService {
  const { store, limits, thread } = deps;
  const follow = (projectId: string) => followKeptChange(projectId, deps, FOLLOW_MS);
  return {
    async create(caller, projectId, given, once) {
      const { ontologyId, ontologyVersion } = await requireProject(store, { projectId, caller });
      const { accountId, keyId = null } = caller;
      // The request that made them may have been cut off before the graph followed.
      const followAnswered = async (error: unknown) => {
        if (error instanceof AlreadyAnswered) await follow(projectId);
        throw error;
      };
      await replayAnswer(store, once, { accountId, now: deps.now() }).catch(followAnswered);
      const wanted = given();
      const ontology = await store.readOntologyOf({ projectId });
      requireShortNames(wanted);
      const graphTypes = ontology === null ? { nodes: [], edges: [] } : await typesOfGraph(store, projectId);
      const names = await thread.check(
        accountId,
        { corrections: wanted, graphTypes },
        ontology?.schemaJson ?? null,
      );
      const createdAt = deps.now();
      const taken = await takeEnds(store, projectId, wanted);
      const corrections = (await nameEntities(store, projectId, taken)).map(
        ({ reason, ...change }): Correction => ({
          correctionId: newId("cor"),
          ...{ projectId, change, reason, accountId, keyId, createdAt },
        }),
      );
      const rules: CorrectionRule[] = [];
      for (const { change } of corrections) {
        rules.push(ruleOf(change, normalizeName));
        await turn(); // A correction has up to two entities of 65 names each.
      }
      const outcome = await createOnce<"addCorrections">(
        store,
        {
          name: "addCorrections",
          input: {
            ...{ projectId, accountId },
            corrections: corrections.map((each, at) => ({ ...each, rule: rules[at] as CorrectionRule })), // As many.
            names,
            follows: { ontologyId, ontologyVersion },
            maxPerProject: MAX_CORRECTIONS,
            maxBytesPerProject: MAX_CORRECTION_BYTES,
            maxNamesPerProject: MAX_CORRECTION_NAMES,
            maxStoredBytes: limits.storedBytes,
          },
        },
        once === undefined
          ? null
          : { accountId, now: createdAt, key: once, answer: once.answerOf(corrections) },
      ).catch(followAnswered);
      if (outcome.kind === "project_gone") throw errors.projectNotFound(projectId);
      if (outcome.kind === "bound_otherwise") throw errors.boundOtherwise();
      if (outcome.kind === "too_many") throw errors.tooManyCorrections(MAX_CORRECTIONS);
      if (outcome.kind === "too_long") throw errors.correctionsTooLong(MAX_CORRECTION_BYTES);
      if (outcome.kind === "too_many_names") throw errors.correctionsOfManyNames(MAX_CORRECTION_NAMES);
      if (outcome.kind === "too_many_bytes") throw storageFull();
      if (outcome.kind === "too_many_pairs") throw errors.correctionsOfManyPairs(MAX_PAIRS);
      if (outcome.kind === "too_many_chunks") throw errors.correctionsTooLarge(MAX_CONCERNED);
      await follow(projectId);
      return corrections;
    },

    ...readsOf(deps),

    async undo(caller, projectId, correctionId) {
      await requireProject(store, { projectId, caller });
      const isUndone = isId("cor", correctionId) && (await store.undoCorrection({ projectId, correctionId }));
      if (isUndone) return follow(projectId);
      // An undoing may have been interrupted: the answer means that the graph has nothing of the correction.
      await applyChanges(projectId, deps, FOLLOW_MS);
      throw errors.correctionNotFound();
    },
  };
}

async function typesOfGraph(store: Store, projectId: string): Promise<CorrectionsToCheck["graphTypes"]> {
  const { entities, relationships } = await store.readGraphTypes({ projectId });
  return { nodes: entities.map(({ type }) => type), edges: relationships.map(({ type }) => type) };
}

function readsOf({
  store,
  now,
}: {
  readonly store: Store;
  readonly now: () => number;
}): Pick<CorrectionService, "list" | "readEvidence" | "listExamples"> {
  return {
    async list(caller, projectId, search) {
      await requireProject(store, { projectId, caller });
      const { corrections, ...rest } = await store.listCorrections({ projectId, ...search() });
      return { corrections: await countConflicts(store, corrections, momentOf(null, now()).date), ...rest };
    },

    async readEvidence(caller, { projectId, correctionId }) {
      await requireProject(store, { projectId, caller });
      const isOne = isId("cor", correctionId);
      const found = isOne
        ? await readEvidence(store, { projectId, correctionId, today: momentOf(null, now()).date })
        : null;
      if (found === null) throw errors.correctionNotFound();
      return found;
    },

    async listExamples(caller, projectId) {
      await requireProject(store, { projectId, caller });
      return readExamples(store, projectId);
    },
  };
}

/** @throws ServiceError `invalid_input` */
function requireShortNames(given: readonly GivenCorrection[]): void {
  const characters = given
    .flatMap((each) => entitiesOf(each))
    .flatMap(({ name, also = [] }) => [name, ...also.map((other) => other.name)])
    .reduce((sum, name) => sum + name.length, 0);
  if (characters > MAX_NAME_CHARACTERS)
    throw errors.invalidInput(
      `corrections: have names of ${characters} characters, expected at most ${MAX_NAME_CHARACTERS}; send fewer at once`,
    );
}

/**
 * Fills in the names that the entities have in the graph now. Facts are also of the names that corrections gave to these, so that they are
 * still meant when such a correction is undone; a name rule of these would undo nothing.
 */
async function nameEntities(
  store: Pick<Store, "readNamesOf">,
  projectId: string,
  given: readonly GivenCorrection[],
): Promise<readonly (CorrectionChange & { readonly reason: string | null })[]> {
  const distinct = new Map<string, EntityKey>();
  for (const { type, name, also } of given.flatMap((each) => entitiesOf(each))) {
    const key = normalizeName(name);
    if (also === undefined) distinct.set(`${type}\n${key}`, { type, key });
  }
  const found = await store.readNamesOf({ projectId, names: [...distinct.values()] });
  const known = new Map([...distinct.keys()].map((label, at) => [label, found[at]]));
  const named = ({ type, name, also }: GivenEntity, isFact: boolean): NamedEntity => {
    const key = normalizeName(name);
    const { names = [], former = [] } = known.get(`${type}\n${key}`) ?? {};
    const others: readonly TypedName[] = [...names, ...(isFact ? former : [])]
      .filter((other) => other.type !== type || other.key !== key)
      .map((other) => ({ type: other.type, name: other.key }));
    return { type, name, also: also ?? others.slice(0, MAX_NAMES) };
  };
  return given.map((each) =>
    "entity" in each
      ? { ...each, entity: named(each.entity, "property" in each) }
      : { ...each, source: named(each.source, true), target: named(each.target, true) },
  );
}
