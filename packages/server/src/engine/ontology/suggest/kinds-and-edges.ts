/** Puts into the draft what has what, and what joins kinds of things. */
import type { Attachment } from "./attachments.ts";
import type { Clause } from "./clauses.ts";
import { type Corpus, canBeType } from "./corpus.ts";
import type { Draft, Evidence } from "./draft.ts";
import { FRAMING_NOUNS, GATHERING_NOUNS, GATHERING_VERBS, isPropertyNoun } from "./framing-words.ts";
import type { NounPhrase } from "./phrase.ts";
import { isTemporal, temporalProperties } from "./temporal.ts";

export interface Context {
  readonly text: string;
  readonly corpus: Corpus;
  readonly draft: Draft;
  readonly clauses: readonly Clause[];
  readonly attachments: readonly Attachment[];
}

export function gather(group: NounPhrase, members: readonly NounPhrase[], { draft, corpus }: Context): void {
  const keys = members.map((noun) => draft.mention(corpus.nameOf(noun), "linked"));
  draft.addGathering({ group: draft.mention(corpus.nameOf(group), "linked"), members: keys });
}

export function readPossessions(
  owners: readonly NounPhrase[],
  owned: readonly NounPhrase[],
  context: Context,
): void {
  const { draft, corpus } = context;
  const hasProperties = owned.some(({ head }) => isPropertyNoun(head));
  for (const owner of owners) {
    if (!corpus.isKind(owner)) continue;
    const key = mention(owner, "attached", context);
    for (const noun of owned) {
      if (noun.isReference) continue;
      const isProperty = isPropertyNoun(noun.head) || FRAMING_NOUNS.has(noun.head);
      if (!isProperty && noun.isPlural && !hasProperties) mention(noun, "framed", context);
      draft.addPossession({
        owner: key,
        type: corpus.nameOf(noun),
        property: [...noun.qualifiers, ...noun.words].join(" "),
        isPlural: noun.isPlural,
        isAmongProperties: hasProperties,
        isProperty,
      });
    }
  }
}

export function readAttachment({ preposition, heads, nouns }: Attachment, context: Context): void {
  // "a number of rooms" is one property of what has the rooms.
  if (heads.at(-1)?.words.includes("of") === true) return;
  const areProperties = heads.some(({ head }) => isPropertyNoun(head));
  if (areProperties && /^(?:of|for|per)$/.test(preposition)) readPossessions(nouns, heads, context);
  else if (preposition === "of") readOf(heads, nouns, context);
  else if (/^(?:with|including)$/.test(preposition)) readPossessions(heads.filter(canBeType), nouns, context);
}

function readOf(heads: readonly NounPhrase[], nouns: readonly NounPhrase[], context: Context): void {
  const members = nouns.filter(canBeType);
  const isAct = context.clauses.some(
    ({ verb, objects }) => GATHERING_VERBS.has(verb.lemma) && objects.some((noun) => heads.includes(noun)),
  );
  for (const head of heads) {
    const isGroup = GATHERING_NOUNS.has(head.head);
    if (isAct) continue;
    if (isGroup && head.isPlural && members.length > 0 && members.every((noun) => noun.isPlural))
      gather(head, members, context);
    else if (!canBeType(head))
      for (const noun of members)
        if (context.corpus.isPlainKind(noun) && noun.isPlural) mention(noun, "framed", context);
  }
  // "A sail is part of a boat" was read as a clause.
  const isRole = (head: NounPhrase) =>
    context.clauses.some(({ verb, objects }) => verb.lemma === "be" && objects.includes(head));
  // "abv and ibu of a beer"
  const isValue = (head: NounPhrase) =>
    head.determiner === null && !head.isPlural && !context.corpus.isKnownKind(head);
  const values = heads.filter((head) => canBeType(head) && !isRole(head) && isValue(head));
  for (const head of values) readPossessions(members, [head], context);
}

interface Join {
  readonly name: string;
  readonly sources: readonly NounPhrase[];
  readonly targets: readonly NounPhrase[];
}

/** An edge between each two kinds; one of them must be a kind by its own form. */
export function link({ name, sources, targets }: Join, { draft, corpus, text }: Context): void {
  for (const source of sources.filter(corpus.isKind)) {
    for (const target of targets.filter(corpus.isKind)) {
      draft.addEdge({
        name,
        source: draft.mention(corpus.nameOf(source), "linked"),
        target: draft.mention(corpus.nameOf(target), "linked"),
        isTemporal: isTemporal(text),
        properties: temporalProperties(text),
      });
    }
  }
}

/** The key of the type, or "" for what can be none. */
export function mention(noun: NounPhrase, evidence: Evidence, { draft, corpus }: Context): string {
  return corpus.isKind(noun) ? draft.mention(corpus.nameOf(noun), evidence) : "";
}
