import type { Proposal, ProposalEnd } from "../../ports/graph-browser.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import type { Store } from "../../ports/store.ts";
import { readNames } from "./entity-names.ts";
import { type Quote, quotePlaces } from "./quotes.ts";

export interface QuotedProposal extends Omit<Proposal, "evidence"> {
  /** Places, with the texts there. */
  readonly evidence: Proposal["evidence"];
  readonly quotes: readonly Quote[];
}

/** Proposals whose ends have the names of their entities, with the sentences that state them. */
export async function quoteProposals(
  store: Store,
  projectId: string,
  proposals: readonly Proposal[],
): Promise<readonly QuotedProposal[]> {
  const named = await nameProposals(store, projectId, proposals);
  const quotes = await quotePlaces(
    store,
    projectId,
    named.flatMap(({ evidence }) => evidence),
  );
  return named.map((proposal) => ({
    ...proposal,
    quotes: proposal.evidence.flatMap((place) => quotes.get(place) ?? []),
  }));
}

/** With the names of the entities for ends that are some. An end that has ceased to be one meanwhile is none. */
export async function nameProposals(
  store: Pick<GraphStore, "readEntities">,
  projectId: string,
  proposals: readonly Proposal[],
): Promise<readonly Proposal[]> {
  const ids = proposals.flatMap(({ source, target }) =>
    [source.entityId ?? [], target.entityId ?? []].flat(),
  );
  const names = await readNames(store, projectId, ids);
  const named = (end: ProposalEnd): ProposalEnd => {
    const entity = names.get(end.entityId ?? "");
    return entity === undefined ? { ...end, entityId: null } : { ...end, ...entity };
  };
  return proposals.map((proposal) => ({
    ...proposal,
    source: named(proposal.source),
    target: named(proposal.target),
  }));
}
