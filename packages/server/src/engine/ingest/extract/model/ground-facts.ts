/** Keeps of a reply what its chunk shows word for word and what the types have a place for; counts the rest. */
import type {
  ChunkFacts,
  EntityKey,
  EntityMention,
  RelationshipMention,
  Span,
} from "../../../../domain/graph.ts";
import { hasNodeType } from "../../../../domain/ontology-schema.ts";
import { isAsserted } from "../../../text/asserted.ts";
import { normalizeDate } from "../../../text/dates.ts";
import { findAliasCandidates } from "../facts/alias-candidates.ts";
import { isToldInPresent } from "../told-in-present.ts";
import { chooseOntologyKind, chooseOpenKind, chooseOpenType, type MeantFact } from "./choose-kind.ts";
import { findEvidence } from "./find-evidence.ts";
import { createNameFinder, type ExtractedChunk, type FoundName } from "./find-names.ts";
import { findQuote } from "./find-quote.ts";
import { createFitCounter } from "./fit-counter.ts";
import { groundAliases, groundProperties } from "./ground-details.ts";
import type { Grounding, KeptEntity, Reading } from "./grounding.ts";
import type { ExtractionReply, ReplyFact } from "./read-reply.ts";

/** Models do not say how sure they are. */
const CONFIDENCE = 0.9;

/** Never throws: a reply is as little to be trusted as a request's body. Costs what the chunk times the reply is long. */
export function groundReply(reply: ExtractionReply, grounding: Grounding): ChunkFacts {
  const reading: Reading = {
    ...grounding,
    findName: createNameFinder(grounding.chunk),
    counter: createFitCounter(),
    entities: new Map(),
  };
  for (const item of reply.malformed) reading.counter.drop("malformed", item);
  for (const entity of reply.entities) groundEntity(entity, reading);
  const relationships = reply.facts.flatMap((fact) => groundFact(fact, reading) ?? []);
  const kept = [...reading.entities.values()];
  return {
    entities: kept.flatMap(toMentions),
    relationships,
    properties: groundProperties(reply, reading),
    aliases: groundAliases(reply, reading),
    candidates: kept.flatMap(({ type, key }) => findAliasCandidates({ type, key })),
    unfit: reading.counter.all(),
  };
}

function groundEntity(
  { name, type }: { readonly name: string; readonly type: string },
  reading: Reading,
): void {
  const { types, counter } = reading;
  const found = findThing(name, reading);
  const known = found === null ? null : typeOf(found.key, reading);
  const held = types === null ? chooseOpenType(type, known) : hasNodeType(types.schema, type) ? type : null;
  if (found === null) counter.drop("not in the text", name);
  else if (held === null) counter.unfit({ kind: "entity", sourceType: "", name: type, targetType: "" }, name);
  else keep(found, held, reading);
}

function groundFact(fact: ReplyFact, reading: Reading): RelationshipMention | null {
  const { types, counter, chunk, nameRelation } = reading;
  const quoted = [fact.source, fact.kind, fact.target];
  const [source, target] = [findThing(fact.source, reading), findThing(fact.target, reading)];
  if (source === null || target === null) {
    counter.drop("not in the text", quoted);
    return null;
  }
  if (source.key === target.key) {
    counter.drop("of one thing", quoted);
    return null;
  }
  const ends = { source: typeOf(source.key, reading), target: typeOf(target.key, reading) };
  const choice =
    types === null ? chooseOpenKind(fact, ends, nameRelation) : chooseOntologyKind(fact, ends, types);
  if ("unfit" in choice) {
    counter.unfit(choice.unfit, quoted.join(" "));
    return null;
  }
  const evidence = fact.evidence ?? (types === null ? fact.kind : "");
  const place = findEvidence(evidence, { chunk, ends: [source, target] });
  if (place === null) {
    counter.drop("no evidence", [...quoted, evidence]);
    return null;
  }
  const { meant } = choice;
  return {
    type: meant.type,
    ...directed(meant, {
      source: keep(source, meant.sourceType, reading),
      target: keep(target, meant.targetType, reading),
    }),
    confidence: CONFIDENCE,
    extractor: "model",
    ...timesOf(fact, { meant, chunk, place }),
    ...place,
  };
}

function directed(
  { isInverse }: MeantFact,
  { source, target }: { readonly source: EntityKey; readonly target: EntityKey },
): { readonly source: EntityKey; readonly target: EntityKey } {
  return isInverse ? { source: target, target: source } : { source, target };
}

/** A name that the text has; without an ontology no date and no amount, over which everything would hang together. */
function findThing(written: string, { findName, types }: Reading): FoundName | null {
  const found = findName(written);
  const isThing =
    found !== null && (types !== null || (/\p{L}{2}/u.test(found.key) && !isAmount(found.name)));
  return isThing ? found : null;
}

function isAmount(name: string): boolean {
  return normalizeDate(name) !== null || /^[\p{Sc}\d][\d.,\s]*(?:%|\p{Ll}+)?$/u.test(name);
}

function typeOf(key: string, { entities, knownTypes }: Reading): string | null {
  for (const entity of entities.values()) if (entity.key === key) return entity.type;
  return knownTypes.get(key) ?? null;
}

function keep(found: FoundName, type: string, { entities }: Reading): EntityKey {
  const entity = { type, key: found.key };
  const id = `${type}\n${found.key}`;
  if (!entities.has(id)) entities.set(id, { ...entity, found });
  return entity;
}

function toMentions({ type, key, found }: KeptEntity): readonly EntityMention[] {
  return found.places.map(({ start, end }) => ({
    type,
    key,
    name: found.name,
    confidence: CONFIDENCE,
    start,
    end,
  }));
}

/** Only of edge types that have a time, and only times that the chunk states. */
function timesOf(
  fact: ReplyFact,
  {
    meant: { isFunctional },
    chunk: { text, start, documentDate = null },
    place,
  }: { readonly meant: MeantFact; readonly chunk: ExtractedChunk; readonly place: Span },
): Pick<RelationshipMention, "validFrom" | "validTo" | "timing"> {
  const timeOf = (written: string | null) =>
    isFunctional === null || written === null || findQuote(text, written, 1).length === 0
      ? null
      : normalizeDate(written);
  const sentence = text.slice(place.start - start, place.end - start);
  const [validFrom, stated] = [timeOf(fact.from), timeOf(fact.to)];
  // A wrong end hides what is true.
  const validTo = isAsserted(sentence) ? stated : null;
  const isLife = ["-", "–", "—"].some((dash) => sentence.includes(`(${validFrom}${dash}${stated})`));
  const isForward = !isLife && (validFrom === null || validTo === null || validFrom <= validTo);
  const isNow = isToldInPresent(sentence);
  const timing = isFunctional === null ? null : { knownAt: isNow ? documentDate : null, isFunctional };
  return { ...(isForward ? { validFrom, validTo } : { validFrom: null, validTo: null }), timing };
}
