/** A graph as GraphML 1.0. */
import type { Entity, Relationship } from "../../../ports/graph-store.ts";
import type { GraphExport } from "../../../services/graph/export.ts";
import { propertiesOf, relationshipId, timesOf } from "../graph.ts";

const head = `<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="type" for="all" attr.name="type" attr.type="string"/>
<key id="chunks" for="all" attr.name="chunks" attr.type="int"/>
<key id="name" for="node" attr.name="name" attr.type="string"/>
<key id="aliases" for="node" attr.name="aliases" attr.type="string"><desc>A list as JSON.</desc></key>
<key id="properties" for="node" attr.name="properties" attr.type="string"><desc>An object as JSON.</desc></key>
<key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>
<key id="valid_from" for="edge" attr.name="valid_from" attr.type="string"/>
<key id="valid_to" for="edge" attr.name="valid_to" attr.type="string"/>
`;

/** Yields one part of the file per page of the graph. */
export async function* graphMlOf(graph: GraphExport, projectId: string): AsyncGenerator<string> {
  yield `${head}<graph id="${escapeXml(projectId)}" edgedefault="directed">\n`;
  for await (const page of graph.entities()) yield page.map(nodeOf).join("");
  for await (const page of graph.relationships()) yield page.map(edgeOf).join("");
  yield "</graph>\n</graphml>\n";
}

function nodeOf(entity: Entity): string {
  const data = dataOf({
    type: entity.type,
    name: entity.name,
    aliases: entity.aliases.length === 0 ? null : JSON.stringify(entity.aliases),
    properties: entity.properties.length === 0 ? null : JSON.stringify(propertiesOf(entity)),
    chunks: String(entity.chunks),
  });
  return `<node id="n${entity.entityId}">${data}</node>\n`;
}

function edgeOf(relationship: Relationship): string {
  const { sourceId, targetId, type, chunks, confidence } = relationship;
  const { validFrom, validTo } = timesOf(relationship);
  const data = dataOf({
    ...{ type, chunks: String(chunks), confidence: confidence === null ? null : String(confidence) },
    ...{ valid_from: validFrom, valid_to: validTo },
  });
  const id = escapeXml(relationshipId(relationship));
  return `<edge id="${id}" source="n${sourceId}" target="n${targetId}">${data}</edge>\n`;
}

function dataOf(values: Readonly<Record<string, string | null>>): string {
  return Object.entries(values)
    .map(([key, value]) => (value === null ? "" : `<data key="${key}">${escapeXml(value)}</data>`))
    .join("");
}

/** Characters that XML 1.0 forbids, even as character references. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // A parser normalizes the raw characters to a space or a line feed.
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
};

/** For text content and attribute values. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, "").replace(/[&<>"\t\n\r]/g, (character) => REFERENCES[character] ?? "");
}
