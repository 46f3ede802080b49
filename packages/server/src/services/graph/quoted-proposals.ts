import { normalizeName } from "../../engine/text/names/normal-form.ts";
import type { ConfirmedEnd } from "../../ports/correction-store.ts";
import type { Proposal, ProposalEnd } from "../../ports/graph-browser.ts";
import type { GraphStore } from "../../ports/graph-store.ts";
import type { Store } from "../../ports/store.ts";
import { type EntityName, readNames } from "./entity-names.ts";
import { type Quote, quotePlaces } from "./quotes.ts";

/** With what confirming makes of it. */
export interface JudgeableEnd extends ProposalEnd {
  readonly confirmedType: string;
  readonly others: readonly EntityName[];
}

export interface QuotedProposal extends Omit<Proposal, "evidence" | "source" | "target"> {
  readonly source: JudgeableEnd;
  readonly target: JudgeableEnd;
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
  const named = await toJudgeable(store, projectId, await nameProposals(store, projectId, proposals));
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

type JudgeableProposal = Proposal & Pick<QuotedProposal, "source" | "target">;

async function toJudgeable(
  store: Store,
  projectId: string,
  proposals: readonly Proposal[],
): Promise<readonly JudgeableProposal[]> {
  const keyOf = ({ type, name }: ProposalEnd) => ({ type, key: normalizeName(name) });
  const confirmed = await store.findConfirmedEnds({
    ...{ projectId, inTurn: false },
    facts: proposals.map(({ type, source, target }) => ({
      ...{ type, source: keyOf(source), target: keyOf(target) },
    })),
  });
  const all = confirmed.flatMap(({ source, target }) => [...source.others, ...target.others]);
  const names = await readNames(
    store,
    projectId,
    all.flatMap(({ entityId }) => entityId ?? []),
  );
  const judgeable = (end: ProposalEnd, { type, others }: ConfirmedEnd = { type: end.type, others: [] }) => ({
    ...end,
    confirmedType: type,
    others: others.flatMap(({ entityId }) => names.get(entityId ?? "") ?? []),
  });
  return proposals.map((proposal, at) => ({
    ...proposal,
    source: judgeable(proposal.source, confirmed[at]?.source),
    target: judgeable(proposal.target, confirmed[at]?.target),
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
    if (entity !== undefined) return { ...end, ...entity };
    // A renamed name that is no entity has nowhere been written as it is called now.
    const name = normalizeName(end.name) === end.key ? end.name : end.key;
    return { ...end, entityId: null, name };
  };
  return proposals.map((proposal) => ({
    ...proposal,
    source: named(proposal.source),
    target: named(proposal.target),
  }));
}
