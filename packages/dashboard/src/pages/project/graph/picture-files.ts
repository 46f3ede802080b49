/** Files of what is shown. */
import type { Scene } from "./scene.ts";

/** GraphML 1.0, as graph editors read it: each relationship type of a line is an edge. */
export function graphMlOf({ nodes, edges }: Scene): string {
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '  <key id="name" for="node" attr.name="name" attr.type="string"/>',
    '  <key id="type" for="all" attr.name="type" attr.type="string"/>',
    '  <key id="chunks" for="edge" attr.name="chunks" attr.type="int"/>',
    '  <graph edgedefault="directed">',
    ...nodes.map(
      ({ id, name, type }) =>
        `    <node id="${escapeXml(id)}"><data key="name">${escapeXml(name)}</data><data key="type">${escapeXml(type)}</data></node>`,
    ),
    ...edges.flatMap(({ source, target, there, back, chunks }) => [
      ...there.map((type) => edgeOf({ source, target, type, chunks })),
      ...back.map((type) => edgeOf({ source: target, target: source, type, chunks })),
    ]),
    "  </graph>",
    "</graphml>",
    "",
  ];
  return lines.join("\n");
}

function edgeOf({
  source,
  target,
  type,
  chunks,
}: {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly chunks: number;
}): string {
  return `    <edge source="${escapeXml(source)}" target="${escapeXml(target)}"><data key="type">${escapeXml(type)}</data><data key="chunks">${chunks}</data></edge>`;
}

export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** XML has no other control characters than tabs and line ends. */
function escapeXml(text: string): string {
  return [...text]
    .filter((character) => character >= " " || character === "\t" || character === "\n")
    .join("")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
