/** What texts say of corrections that were ingested after these were made. */
import type { ListedCorrection } from "../domain/correction.ts";
import type { Validity } from "../domain/validity.ts";
import type { Conflict, CorrectionStore } from "../ports/correction-store.ts";
import type { Store } from "../ports/store.ts";
import { type EntityName, readNames } from "./graph/entity-names.ts";
import { type Quote, quotePlaces, quoteSentences } from "./graph/quotes.ts";

export interface CorrectionWithConflicts extends ListedCorrection {
  /** Chunks of later texts that tell against it. */
  readonly conflicts: number;
}

/** Of texts that were ingested after a correction was made. */
export interface CorrectionEvidence {
  readonly passages: readonly Quote[];
  readonly conflicts: readonly (Validity & {
    readonly kind: Conflict["kind"];
    readonly at: Conflict["at"];
    readonly target: EntityName;
    readonly quote: Quote;
  })[];
}

type EvidenceStore = Pick<Store, "readLaterEvidence" | "readEntities" | "readChunks">;

/** In one operation: it reads the corrections of names anew. */
const COUNTED_AT_ONCE = 10;

/** `today`: a day. */
export async function countConflicts(
  store: Pick<CorrectionStore, "countConflicts">,
  corrections: readonly ListedCorrection[],
  today: string,
): Promise<readonly CorrectionWithConflicts[]> {
  const ofPerson = corrections.filter(
    ({ change: { kind } }) => kind === "confirm" || kind === "add_relationship",
  );
  const counts = new Map<string, number>();
  for (let start = 0; start < ofPerson.length; start += COUNTED_AT_ONCE) {
    const group = ofPerson.slice(start, start + COUNTED_AT_ONCE);
    const projectId = group[0]?.projectId ?? "";
    const correctionIds = group.map(({ correctionId }) => correctionId);
    const counted = await store.countConflicts({ projectId, correctionIds, today });
    for (const [correctionId, count] of Object.entries(counted)) counts.set(correctionId, count);
  }
  return corrections.map((each) => ({ ...each, conflicts: counts.get(each.correctionId) ?? 0 }));
}

/** Without what has gone meanwhile; null when the correction does not exist. */
export async function readEvidence(
  store: EvidenceStore,
  input: Parameters<CorrectionStore["readLaterEvidence"]>[0],
): Promise<CorrectionEvidence | null> {
  const { projectId } = input;
  const found = await store.readLaterEvidence(input);
  if (found === null) return null;
  const { passages, conflicts } = found;
  const names = await readNames(
    store,
    projectId,
    conflicts.map(({ entityId }) => entityId),
  );
  const quotes = await quotePlaces(
    store,
    projectId,
    conflicts.map(({ place }) => place),
  );
  return {
    passages: await quoteSentences(store, projectId, passages),
    conflicts: conflicts.flatMap(({ kind, at, entityId, place }) => {
      const [target, quote] = [names.get(entityId), quotes.get(place)];
      const { validFrom, validTo } = place;
      return target === undefined || quote === undefined
        ? []
        : [{ kind, at, target, quote, validFrom, validTo }];
    }),
  };
}
