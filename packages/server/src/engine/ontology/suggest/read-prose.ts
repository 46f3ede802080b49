/** From clauses to candidates: who acts on what, what has what, what is only said of the request. */
import { readAttachments } from "./attachments.ts";
import { type Clause, readClauses } from "./clauses.ts";
import { type Corpus, canBeType, isFramingSubject, readCorpus } from "./corpus.ts";
import type { Draft } from "./draft.ts";
import { FRAMING_VERBS, GATHERING_NOUNS, GATHERING_VERBS, isPropertyNoun } from "./framing-words.ts";
import { type Context, gather, link, mention, readAttachment, readPossessions } from "./kinds-and-edges.ts";
import { isParticiple } from "./mend-tags.ts";
import { edgeName } from "./names.ts";
import { listFrom } from "./noun-lists.ts";
import type { NounPhrase, Phrase } from "./phrase.ts";
import { findPhrases } from "./phrases.ts";
import type { Discourse } from "./pronouns.ts";
import type { Segment } from "./segments.ts";
import type { TagWords } from "./tagged-word.ts";
import { participleOf, thirdPerson } from "./word-forms.ts";
import { straighten } from "./word-order.ts";

/** Reads the text twice: its nouns, which tell what is a kind of things, then its sentences. */
export function readProse(segments: readonly Segment[], tag: TagWords, draft: Draft): void {
  const phrasesOf = (text: string) => {
    // A capital makes names of words that only begin a sentence.
    const small = text.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (first) => first.toLowerCase());
    return straighten(findPhrases(tag(small, { start: 0, end: small.length })));
  };
  const read = segments.map((segment) => ({
    segment,
    phrases: phrasesOf(segment.kind === "prose" ? segment.text : segment.owner),
  }));
  const corpus = readCorpus(
    read.flatMap(({ segment, phrases }) => (segment.kind === "prose" ? [phrases] : [])),
  );
  let discourse: Discourse = { subjects: [], objects: [] };
  for (const { segment, phrases } of read) {
    if (segment.kind === "prose") discourse = readSentence(segment, phrases, { draft, corpus, discourse });
    else readProperties(segment, phrases, { draft, corpus });
  }
}

interface Reading {
  readonly draft: Draft;
  readonly corpus: Corpus;
  readonly discourse: Discourse;
}

/** Reads one sentence into the draft; returns what the pronouns of the next one may stand for. */
function readSentence(
  { text, isItem }: { text: string; isItem: boolean },
  phrases: readonly Phrase[],
  { draft, corpus, discourse: before }: Reading,
): Discourse {
  const { clauses, discourse } = readClauses(phrases, before);
  const context: Context = {
    draft,
    corpus,
    text,
    clauses,
    attachments: readAttachments(phrases),
  };
  const edgesBefore = draft.edges.length;
  for (const clause of clauses) readClause(clause, context);
  // Beside what is related, other kinds are things of the graph as well.
  if (draft.edges.length > edgesBefore)
    for (const noun of phrases)
      if (noun.kind === "noun" && corpus.isPlainKind(noun) && !isPropertyNoun(noun.head))
        mention(noun, "framed", context);
  for (const attachment of context.attachments) readAttachment(attachment, context);
  readToldProperties(clauses, phrases, context);
  if (phrases[0]?.kind !== "noun" || !clauses.every(({ isDependent }) => isDependent)) return discourse;
  const { nouns } = listFrom(phrases, 0, { isLoose: true });
  if (isItem || nouns.length > 2)
    for (const noun of nouns)
      if (!isPropertyNoun(noun.head) || noun.isPlural) mention(noun, "framed", context);
  const kinds = nouns.filter(corpus.isKind);
  return kinds.length > 0 ? { subjects: kinds.slice(0, 1), objects: discourse.objects } : discourse;
}

/** "for each ship we note the length and the draught", "a tonnage must be kept per ship", "for ships the length". */
function readToldProperties(clauses: readonly Clause[], phrases: readonly Phrase[], context: Context): void {
  const told = clauses.map(({ listed, subjects, complements, verb }) => {
    const [first, owner] = phrases;
    const isFronted = first?.kind === "preposition" && /^(?:for|of|per)$/.test(first.word);
    const perOwner = complements.find(({ preposition }) => preposition === "per")?.nouns ?? [];
    const fronted = isFronted && owner?.kind === "noun" ? [owner] : [];
    return verb.isPassive ? { owners: perOwner, owned: subjects } : { owners: fronted, owned: listed };
  });
  for (const [at, phrase] of phrases.entries()) {
    const owner = phrases[at + 1];
    if (phrase.kind !== "preposition" || phrase.word !== "for" || owner?.kind !== "noun") continue;
    const from = at + (phrases[at + 2]?.kind === "adverb" ? 3 : 2);
    told.push({ owners: [owner], owned: listFrom(phrases, from).nouns });
  }
  for (const { owners, owned } of told)
    if (owned.some(({ head }) => isPropertyNoun(head))) readPossessions(owners, owned, context);
}

function readProperties(
  { names, isLast }: Segment & { kind: "properties" },
  phrases: readonly Phrase[],
  { draft, corpus }: Omit<Reading, "discourse">,
): void {
  const nouns = phrases
    .filter((phrase) => phrase.kind === "noun")
    .filter((noun) => canBeType(noun) && !isPropertyNoun(noun.head));
  const owner = isLast ? nouns.at(-1) : nouns[0];
  // A list that stands alone is of what the text named first.
  const key =
    owner === undefined ? draft.types.keys().next().value : draft.mention(corpus.nameOf(owner), "framed");
  if (key === undefined) return;
  for (const name of names) draft.addProperty(key, name);
}

function readClause(clause: Clause, context: Context): void {
  const { verb } = clause;
  if (verb.isNegated || isOfRequest(clause, context.corpus)) return;
  if (GATHERING_VERBS.has(verb.lemma) && readGathering(clause, context)) return;
  else if (verb.lemma === "have") {
    const { subjects, objects, listed } = clause;
    readPossessions(subjects, listed.length > objects.length ? listed : objects, context);
  } else if (verb.lemma === "be") readPredicate(clause, context);
  else readAction(clause, context);
}

/** Whether nobody in the graph does it: "we want", "to track", "are stored in a database". */
function isOfRequest(clause: Clause, corpus: Corpus): boolean {
  const { subjects, isHeadless, verb, complements } = clause;
  const isAsking = FRAMING_VERBS.has(verb.lemma);
  if (isAsking && verb.isWanted) return true;
  if (subjects.length > 0)
    return subjects.every(
      (noun) => (isAsking && isAsker(noun)) || (isFramingSubject(noun) && !corpus.isKnownKind(noun)),
    );
  return isHeadless && (!verb.isPassive || !complements.some(({ nouns }) => nouns.some(canBeType)));
}

/** "Users need to find ships". */
function isAsker({ head, words }: NounPhrase): boolean {
  return words.length === 1 && /^(?:user|analyst|people)$/.test(head);
}

/** Tell a time, a manner or a reason more often than a thing. */
const NO_LINKS: ReadonlySet<string> = new Set(
  "since until during such as like as per than before within because without except despite".split(" "),
);

/** What these join to an object belongs to it: "tickets about products". */
const NOUN_PREPOSITIONS: Readonly<Record<string, string>> = {
  about: "about",
  for: "for",
  in: "located in",
  between: "connects",
  under: "falls under",
  against: "directed against",
};

function readAction(clause: Clause, context: Context): void {
  const { verb, objects, complements } = clause;
  const { corpus } = context;
  const known = (nouns: readonly NounPhrase[]) => nouns.map((noun) => corpus.standFor(noun));
  const sources = known(clause.subjects);
  const isActive = objects.length > 0 && !verb.isPassive;
  const isPast = verb.surface !== verb.lemma && isParticiple({ lower: verb.surface });
  const base = verb.isPassive || (!isActive && isPast) ? verb.surface : thirdPerson(verb.lemma);
  // "takes place in": an object that names nothing is part of the verb.
  const [object] = objects;
  const isBare = object?.determiner === null && !object.isReference && !object.isPlural;
  const isPlace = isBare && object.head === "place";
  const isWhole = isActive && objects.some(corpus.isKind) && !isPlace;
  const idiom = isActive && !isWhole && object?.determiner === null && !object.isReference ? object.head : "";
  const name = `${base} ${verb.particle} ${idiom}`;
  if (isActive && !isPlace) link({ name: edgeName(name), sources, targets: known(objects) }, context);
  for (const { preposition, nouns } of complements) {
    if (NO_LINKS.has(preposition) || (preposition === "of" && isWhole)) continue;
    const own =
      preposition !== "between" && isWhole && Object.hasOwn(NOUN_PREPOSITIONS, preposition)
        ? NOUN_PREPOSITIONS[preposition]
        : undefined;
    if (own !== undefined) link({ name: edgeName(own), sources: objects, targets: nouns }, context);
    else link({ name: edgeName(`${name} ${preposition}`), sources, targets: known(nouns) }, context);
  }
}

/** "An engineer is responsible for a bridge", "an oven is part of a kitchen". */
function readPredicate(clause: Clause, context: Context): void {
  const { subjects, objects, complements, adjective } = clause;
  const sources = subjects.map((noun) => context.corpus.standFor(noun));
  for (const { preposition, nouns } of complements) {
    if (NO_LINKS.has(preposition) || objects.length > 0) continue;
    if (adjective !== null)
      link({ name: edgeName(`${adjective} ${preposition}`), sources, targets: nouns }, context);
    else if (/^(?:in|at|on|near|under|inside|within)$/.test(preposition))
      link({ name: edgeName(`located ${preposition}`), sources, targets: nouns }, context);
  }
  for (const object of objects) {
    const of = context.attachments.find(
      ({ preposition, heads }) => preposition === "of" && heads.includes(object),
    );
    if (of === undefined || isPropertyNoun(object.head)) continue;
    link(
      {
        name: edgeName(`${object.head} of`),
        sources,
        targets: of.nouns.map((noun) => (noun.isReference ? (sources[0] ?? noun) : noun)),
      },
      context,
    );
  }
}

/** "Themes that summarise articles" are above the articles; who sorts them is not. */
const SELF_GATHERING: ReadonlySet<string> = new Set(
  "group cluster aggregate bundle gather summarize summarise combine".split(" "),
);

/** "Groups of articles" are gathered as the articles are. */
function ofNouns(noun: NounPhrase, { attachments }: Context): readonly NounPhrase[] {
  if (!GATHERING_NOUNS.has(noun.head)) return [noun];
  return (
    attachments.find(({ preposition, heads }) => preposition === "of" && heads.includes(noun))?.nouns ?? [
      noun,
    ]
  );
}

/** "Products are grouped into families": a level above the products. */
function readGathering({ verb, subjects, objects, complements }: Clause, context: Context): boolean {
  const isActive = objects.length > 0 && subjects.some(canBeType);
  const into = complements.find(({ preposition }) =>
    isActive ? /^(?:into|under)$/.test(preposition) : /^(?:into|under|in|by|to|within)$/.test(preposition),
  );
  if (into === undefined && !SELF_GATHERING.has(verb.lemma)) return false;
  const groups = into?.nouns ?? subjects;
  const members = (objects.length > 0 ? objects : into === undefined ? [] : subjects).flatMap((noun) =>
    ofNouns(noun, context),
  );
  const [group] = groups.filter(
    (noun) => !noun.isReference && (!isPropertyNoun(noun.head) || GATHERING_NOUNS.has(noun.head)),
  );
  const named = members.filter(canBeType);
  if (group === undefined || named.length === 0) return false;
  gather(group, named, context);
  if (into === undefined)
    link({ name: edgeName(thirdPerson(verb.lemma)), sources: [group], targets: named }, context);
  else
    link(
      {
        name: edgeName(`${participleOf(verb.lemma, verb.surface)} ${verb.particle} ${into.preposition}`),
        sources: named,
        targets: [group],
      },
      context,
    );
  return true;
}
