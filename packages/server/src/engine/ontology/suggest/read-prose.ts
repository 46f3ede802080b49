/** From clauses to candidates: who acts on what, what has what, what is only said of the request. */
import { type Attachment, type Clause, type Complement, type Reading, readClauses } from "./clauses.ts";
import type { Draft, Evidence } from "./draft.ts";
import {
  FRAMING_NOUNS,
  FRAMING_VERBS,
  GATHERING_NOUNS,
  GATHERING_VERBS,
  LINKING_VERBS,
  SUMMARY_NOUNS,
  TRACKING_VERBS,
} from "./framing-words.ts";
import { edgeName, typeName, wordsOf } from "./names.ts";
import { canBeType, isFramingSubject } from "./noun-roles.ts";
import { findPhrases, type NounPhrase } from "./phrases.ts";
import { isPropertyNoun } from "./property-words.ts";
import type { TaggedWord } from "./tagged-word.ts";
import { isTemporal, temporalProperties } from "./temporal.ts";
import { participleOf, thirdPerson } from "./word-forms.ts";

/** Reads one tagged sentence into the draft. */
export function readSentence(sentence: string, words: readonly TaggedWord[], draft: Draft): void {
  const reading = readClauses(findPhrases(words));
  const context: Context = { sentence, reading, draft };
  for (const clause of reading.clauses) readClause(clause, context);
  for (const attachment of reading.attachments) readAttachment(attachment, context);
  if (reading.clauses.length === 0) {
    for (const noun of reading.nouns)
      if (noun.isPlural || noun.determiner === null) mention(noun, "framed", context);
  }
}

interface Context {
  readonly sentence: string;
  readonly reading: Reading;
  readonly draft: Draft;
}

function readClause(clause: Clause, context: Context): void {
  const { verb } = clause;
  const isAsked = isOfRequest(clause);
  if (isAsked && FRAMING_VERBS.has(verb.lemma)) readFramed(clause, context);
  else if (GATHERING_VERBS.has(verb.lemma) && readGathering(clause, context)) return;
  else if (verb.lemma === "have") readPossessions(clause.subjects, clause.objects, context);
  else if (verb.lemma === "be") readPredicate(clause, context);
  else readAction(clause, context);
}

/** Whether nobody in the graph does it: "we want", "to track", "are stored in a database". */
function isOfRequest({ subjects, isHeadless, verb, complements }: Clause): boolean {
  if (subjects.length > 0) return subjects.every(isFramingSubject);
  if (!verb.isPassive) return isHeadless;
  const places = complements.flatMap(({ nouns }) => nouns);
  return places.length === 0 || !places.every(canBeType);
}

/** "We want to track shipments from suppliers": what is asked for, and what joins it. */
function readFramed(clause: Clause, context: Context): void {
  if (clause.verb.lemma === "be" && clause.subjects.some(({ isReference }) => isReference)) return;
  const evidence = TRACKING_VERBS.has(clause.verb.lemma) ? "acted_on" : "framed";
  for (const noun of clause.objects) if (!isPropertyNoun(noun.head)) mention(noun, evidence, context);
  for (const { nouns } of clause.complements)
    for (const noun of nouns) if (isCounted(noun)) mention(noun, "framed", context);
  if (LINKING_VERBS.has(clause.verb.lemma)) linkComplements(clause, context);
}

function readAction(clause: Clause, context: Context): void {
  const { verb, subjects, objects, complements, adjective } = clause;
  const sources = subjects.filter(canBeType);
  for (const source of sources) mention(source, "acts", context);
  // "I run a small brewery": who asks.
  const isOwn = subjects.length > 0 && subjects.every(({ isReference }) => isReference);
  for (const object of objects) {
    const isAsker = isOwn && /^an?$/.test(object.determiner ?? "");
    if (!isPropertyNoun(object.head) && !isAsker) mention(object, "acted_on", context);
  }
  const name = edgeName([thirdPerson(verb.lemma), adjective ?? ""].join(" "));
  link({ name, sources, targets: objects }, context);
  if (objects.length > 0) linkComplements(clause, context);
  else for (const complement of complements) linkComplement(sources, complement, name, context);
}

/** "Doctors prescribe drugs to patients": the drug is prescribed to the patient. */
function linkComplements({ verb, objects, complements }: Clause, context: Context): void {
  const participle = verb.isPassive ? verb.surface : participleOf(verb.lemma, verb.surface);
  for (const complement of complements) linkComplement(objects, complement, edgeName(participle), context);
}

/** Tell a time, a manner or a reason more often than a thing. */
const NO_LINKS: ReadonlySet<string> = new Set(
  "since until during such as like as per via than before after within because about through such".split(" "),
);

function linkComplement(
  sources: readonly NounPhrase[],
  { preposition, nouns }: Complement,
  verb: string,
  context: Context,
): void {
  if (preposition === "such as" || isTimeOf(preposition)) return;
  const targets = nouns.filter((noun) => !isPropertyNoun(noun.head));
  for (const target of targets) mention(target, "acted_on", context);
  if (preposition === "with" && nouns.some(({ head }) => isPropertyNoun(head))) return;
  link({ name: `${verb}_${edgeName(preposition)}`, sources, targets }, context);
}

function isTimeOf(preposition: string): boolean {
  return NO_LINKS.has(preposition) && preposition !== "about";
}

/** "An engineer is responsible for a bridge", "an oven is part of a kitchen". */
function readPredicate(clause: Clause, context: Context): void {
  const { subjects, objects, complements, adjective } = clause;
  const sources = subjects.filter(canBeType);
  if (adjective !== null) {
    for (const { preposition, nouns } of complements) {
      if (isTimeOf(preposition)) continue;
      for (const noun of [...sources, ...nouns]) mention(noun, "acted_on", context);
      link({ name: edgeName(`${adjective} ${preposition}`), sources, targets: nouns }, context);
    }
    return;
  }
  if (sources.length > 0 || !subjects.some(({ isReference }) => isReference))
    for (const object of objects) readRole(object, sources, context);
  if (objects.length > 0) return;
  for (const { preposition, nouns } of complements) {
    if (!/^(?:in|at|on|from|near|between)$/.test(preposition)) continue;
    for (const noun of [...sources, ...nouns]) mention(noun, "acted_on", context);
    const name = preposition === "from" ? "COMES_FROM" : edgeName(`located ${preposition}`);
    link({ name, sources, targets: nouns }, context);
  }
}

/** "X is a member of Y" is an edge; "the types are X, Y and Z" names types. */
function readRole(object: NounPhrase, sources: readonly NounPhrase[], context: Context): void {
  const of = context.reading.attachments.find(
    ({ preposition, heads }) => preposition === "of" && heads.includes(object),
  );
  if (of !== undefined && sources.length > 0 && !isPropertyNoun(object.head)) {
    for (const noun of [...sources, ...of.nouns]) mention(noun, "acted_on", context);
    link({ name: edgeName(`${object.head} of`), sources, targets: of.nouns }, context);
  } else if (sources.length === 0) mention(object, "framed", context);
}

/** "Themes that summarise articles" are above the articles; who sorts them is not. */
const SELF_GATHERING: ReadonlySet<string> = new Set(
  "group cluster aggregate bundle gather summarize summarise combine".split(" "),
);

/** "Groups of articles" are gathered as the articles are. */
function ofNouns(noun: NounPhrase, { reading }: Context): readonly NounPhrase[] {
  const of = reading.attachments.find(
    ({ preposition, heads }) => preposition === "of" && heads.includes(noun),
  );
  return of === undefined ? [noun] : of.nouns;
}

/** "Products are grouped into families": a level above the products. */
function readGathering({ verb, subjects, objects, complements }: Clause, context: Context): boolean {
  const isActive = !verb.isPassive && subjects.some(canBeType);
  const into = complements.find(({ preposition }) =>
    isActive ? /^(?:into|under)$/.test(preposition) : /^(?:into|under|in|by|to|within)$/.test(preposition),
  );
  if (into === undefined && !SELF_GATHERING.has(verb.lemma)) return false;
  const groups = into?.nouns ?? subjects.filter((noun) => !isFramingSubject(noun));
  const members = (objects.length > 0 ? objects : into === undefined ? [] : subjects).flatMap((noun) =>
    GATHERING_NOUNS.has(noun.head) ? ofNouns(noun, context) : [noun],
  );
  const [group] = groups.filter((noun) => !isPropertyNoun(noun.head) || GATHERING_NOUNS.has(noun.head));
  const named = members.filter((noun) => canBeType(noun));
  if (group === undefined || group.isReference || named.length === 0) return false;
  gather(group, named, context);
  return true;
}

function gather(group: NounPhrase, members: readonly NounPhrase[], { draft, sentence }: Context): void {
  const keys = members.map((noun) => draft.mention(noun.words.join(" "), "acted_on", sentence));
  const [first] = members;
  const isBare =
    group.words.length === 1 &&
    /^(?:category|group|cluster|family|class|segment|collection|tier|type|summary|overview|bundle|cohort)$/.test(
      group.head,
    );
  const phrase = isBare && first !== undefined ? [...first.words, group.head] : group.words;
  draft.addGathering({ group: draft.mention(phrase.join(" "), "acted_on", sentence), members: keys });
}

function readPossessions(
  owners: readonly NounPhrase[],
  owned: readonly NounPhrase[],
  context: Context,
): void {
  const { draft, sentence } = context;
  const areProperties = owned.filter(({ head }) => isPropertyNoun(head));
  for (const owner of owners) {
    if (!canBeType(owner)) continue;
    const key = mention(owner, "acts", context);
    for (const noun of owned) {
      if (noun.isReference) continue;
      const isProperty = isPropertyNoun(noun.head);
      if (!isProperty && noun.isPlural && areProperties.length === 0) mention(noun, "framed", context);
      draft.addPossession({
        owner: key,
        phrase: noun.words.join(" "),
        isPlural: noun.isPlural,
        isAmongProperties: areProperties.length > 0,
        isProperty: isProperty || FRAMING_NOUNS.has(noun.head),
        sentence,
      });
    }
  }
}

function readAttachment({ preposition, heads, nouns }: Attachment, context: Context): void {
  switch (preposition) {
    case "of":
      for (const head of heads) readOf(head, nouns, context);
      break;
    case "with":
    case "including":
      if (heads.every(canBeType)) readPossessions(heads, nouns, context);
      else for (const noun of nouns) mention(noun, "framed", context);
      break;
    case "such as":
    case "like":
      if (!heads.every(canBeType)) for (const noun of nouns) mention(noun, "framed", context);
      break;
    default:
      readBeside(preposition, heads, nouns, context);
  }
}

function readOf(head: NounPhrase, nouns: readonly NounPhrase[], context: Context): void {
  const { draft, sentence } = context;
  const members = nouns.filter(canBeType);
  if (
    context.reading.clauses.some(
      (clause) => GATHERING_VERBS.has(clause.verb.lemma) && clause.objects.includes(head),
    )
  )
    return;
  const isGroup = GATHERING_NOUNS.has(head.head) || SUMMARY_NOUNS.has(head.head);
  if (isGroup && head.isPlural && members.length > 0 && members.every((noun) => noun.isPlural)) {
    gather(head, members, context);
    return;
  }
  for (const noun of members) {
    if (isPropertyNoun(head.head)) {
      const owner = mention(noun, "attached", context);
      draft.addPossession({
        owner,
        phrase: head.words.join(" "),
        isPlural: head.isPlural,
        isAmongProperties: true,
        isProperty: true,
        sentence,
      });
    } else if (!canBeType(head)) {
      if (isCounted(noun)) mention(noun, "framed", context);
    } else {
      const name = edgeName(`has ${wordsOf(typeName(head.head)).join(" ")}`);
      beside({ name, sources: [noun], targets: [head] }, context);
    }
  }
}

/** "For drug discovery" names the field, "about drugs" a kind of things. */
function isCounted({ isPlural, determiner }: NounPhrase): boolean {
  return isPlural || (determiner !== null && !/^(?:the|our|my)$/.test(determiner));
}

const BESIDE: Readonly<Record<string, string>> = {
  about: "about",
  on: "about",
  in: "located in",
  at: "located at",
  between: "connects",
  from: "comes from",
  under: "falls under",
  against: "directed against",
};

function readBeside(
  preposition: string,
  heads: readonly NounPhrase[],
  nouns: readonly NounPhrase[],
  context: Context,
): void {
  const sources = heads.filter(canBeType);
  if (sources.length === 0) {
    for (const noun of nouns) if (isCounted(noun)) mention(noun, "framed", context);
    return;
  }
  const name = Object.hasOwn(BESIDE, preposition) ? BESIDE[preposition] : undefined;
  if (name === undefined) for (const noun of nouns) mention(noun, "attached", context);
  else beside({ name: edgeName(name), sources, targets: nouns.filter(canBeType) }, context);
}

interface Join {
  readonly name: string;
  readonly sources: readonly NounPhrase[];
  readonly targets: readonly NounPhrase[];
}

function beside(join: Join, context: Context): void {
  addEdges(join, { ...context, evidence: "attached", isStated: false });
}

function link(join: Join, context: Context): void {
  addEdges(join, { ...context, evidence: null, isStated: true });
}

function addEdges(
  { name, sources, targets }: Join,
  context: Context & { readonly evidence: Evidence | null; readonly isStated: boolean },
): void {
  const { draft, sentence, evidence, isStated } = context;
  const keyOf = (noun: NounPhrase) =>
    canBeType(noun)
      ? draft.mention(
          noun.words.join(" "),
          evidence !== null && noun.isPlural ? "framed" : "attached",
          sentence,
        )
      : "";
  const ends = targets.map(keyOf);
  for (const source of sources.map(keyOf)) {
    for (const target of ends) {
      draft.addEdge({
        ...{ name, source, target, isStated },
        isTemporal: isTemporal(sentence),
        properties: temporalProperties(sentence),
        description: sentence,
      });
    }
  }
}

/** The key of the type, or "" for what can be none. */
function mention(noun: NounPhrase, evidence: Evidence, { draft, sentence }: Context): string {
  if (!canBeType(noun) || (evidence === "framed" && isPropertyNoun(noun.head))) return "";
  return draft.mention(noun.words.join(" "), evidence, sentence);
}
