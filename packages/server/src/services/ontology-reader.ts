import type { Ontology } from "../domain/ontology.ts";
import type { Store } from "../ports/store.ts";
import { createAccountQueue } from "./account-queue.ts";

/** An ontology may be megabytes. Reading one from the database takes milliseconds, in which other accounts wait. */
const READS = { what: "reads of ontologies", atOnce: 2, maxWaiting: 256 } as const;

export type FindOntology = (target: {
  readonly accountId: string;
  readonly ontologyId: string;
  /** Absent or null: the newest. */
  readonly version?: number | null;
}) => Promise<Ontology | null>;

/** @throws ServiceError `too_many_requests` when too many reads of the account wait */
export function createOntologyReader(store: Pick<Store, "findOntology">): FindOntology {
  const reads = createAccountQueue(READS);
  return (target) => reads.run(target.accountId, () => store.findOntology(target));
}
