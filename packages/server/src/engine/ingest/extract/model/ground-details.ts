/** Properties and other names that a reply states, kept where the chunk shows them. */
import type { AliasMention, PropertyMention, Span } from "../../../../domain/graph.ts";
import { normalizeDate } from "../../../text/dates.ts";
import { type FoundName, sentenceAt } from "./find-names.ts";
import { findQuote } from "./find-quote.ts";
import { inDocument, type KeptEntity, type Reading } from "./grounding.ts";
import type { ExtractionReply } from "./read-reply.ts";

const MAX_VALUE_UNITS = 120;

/** Values that stand in the chunk, of properties that the entity's type declares; of entities that are kept. */
export function groundProperties(reply: ExtractionReply, reading: Reading): readonly PropertyMention[] {
  const { types, chunk, counter } = reading;
  if (types === null) return [];
  return reply.properties.flatMap(({ name, property, value }) => {
    const entity = findKept(name, reading).find((one) =>
      types.schema.nodeTypes.some((type) => type.name === one.type && type.properties.includes(property)),
    );
    const [place] = value.length > MAX_VALUE_UNITS ? [] : findQuote(chunk.text, value, 1);
    if (entity === undefined || place === undefined) {
      counter.drop(entity === undefined ? "no such property" : "not in the text", [name, property, value]);
      return [];
    }
    const written = value.replace(/\s+/g, " ").trim();
    const { type, key } = entity;
    return [
      {
        entity: { type, key },
        property,
        value: normalizeDate(written) ?? written,
        ...inDocument(chunk, place),
      },
    ];
  });
}

/** Two names in one sentence, at least one of an entity that is kept, the other of nothing else. */
export function groundAliases(reply: ExtractionReply, reading: Reading): readonly AliasMention[] {
  const { counter, findName } = reading;
  return reply.aliases.flatMap(({ name, alias }) => {
    const [one, other] = [findName(name), findName(alias)];
    const kept = [...findKept(name, reading), ...findKept(alias, reading)];
    const type = kept[0]?.type;
    if (one === null || other === null || type === undefined || one.key === other.key) {
      counter.drop("not in the text", [name, alias]);
      return [];
    }
    const place = placeBeside(other, one, reading);
    if (place === null || kept.some((entity) => entity.type !== type)) {
      counter.drop("no evidence", [name, alias]);
      return [];
    }
    return [{ type, key: one.key, alias: other.key, ...place }];
  });
}

/** Where one name stands in a sentence that has the other as well. */
function placeBeside(one: FoundName, other: FoundName, { chunk }: Reading): Span | null {
  const others = new Set(other.places.map((place) => sentenceAt(chunk.sentences, place)));
  return one.places.find((place) => others.has(sentenceAt(chunk.sentences, place))) ?? null;
}

function findKept(written: string, { findName, entities }: Reading): readonly KeptEntity[] {
  const key = findName(written)?.key;
  return key === undefined ? [] : [...entities.values()].filter((entity) => entity.key === key);
}
