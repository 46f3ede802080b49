/** Writes facts down so that they can be read beside their text. */

import type { ChunkFacts, Span } from "../../../../../domain/graph.ts";

/** Confidences are left out: they differ in their last digits between processors. */
export function renderFacts(title: string, text: string, facts: ChunkFacts): string {
  const quote = ({ start, end }: Span) => text.slice(start, end).replace(/\s+/g, " ");
  const nameOf = new Map(facts.entities.map(({ type, key, name }) => [`${type}\n${key}`, name]));
  const named = ({ type, key }: { readonly type: string; readonly key: string }) =>
    nameOf.get(`${type}\n${key}`) ?? key;
  const entities = Map.groupBy(facts.entities, ({ type, key }) => `${type}: ${named({ type, key })}`);
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      "Entities",
      [...entities].map(
        ([entity, mentions]) => `${entity} (${[...new Set(mentions.map(quote))].join(" · ")})`,
      ),
    ],
    [
      "Relationships",
      facts.relationships.map(({ source, type, target, validFrom, validTo, extractor }) => {
        const time =
          validFrom === null && validTo === null ? "" : ` [${validFrom ?? "?"} to ${validTo ?? "?"}]`;
        return `${named(source)} **${type}** ${named(target)}${time} (${extractor})`;
      }),
    ],
    [
      "Proposals",
      (facts.proposals ?? []).map(({ source, sourceName, type, target, targetName, extractor }) => {
        return `${sourceName} (${source.type}) **${type}** ${targetName} (${target.type}) (${extractor})`;
      }),
    ],
    [
      "Properties",
      facts.properties.map(({ entity, property, value }) => `${named(entity)}: ${property} = ${value}`),
    ],
    ["Aliases", facts.aliases.map(({ type, key, alias }) => `${type}: ${key} = ${alias}`)],
    ["Candidates", facts.candidates.map(({ type, key, candidate }) => `${type}: ${key} ≈ ${candidate}`)],
    [
      "Unfit",
      facts.unfit.map(({ kind, sourceType, name, targetType, example }) => {
        const what = kind === "entity" ? name : `${sourceType} ${name} ${targetType}`;
        return `${what}: “${example.replace(/\s+/g, " ").slice(0, 70)}”`;
      }),
    ],
  ];
  const lines = sections.flatMap(([heading, items]) =>
    items.length === 0 ? [] : ["", `**${heading}**`, "", ...items.map((item) => `- ${item}`)],
  );
  return [`## ${title}`, "", ...text.split("\n").map((line) => `> ${line}`.trimEnd()), ...lines, ""].join(
    "\n",
  );
}
