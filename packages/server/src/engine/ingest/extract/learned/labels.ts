/** The labels that stand for an ontology's types in the bundled model that reads facts. */
import type { EdgeType, NodeType, OntologySchema } from "../../../../domain/ontology-schema.ts";
import type { FactLabels } from "../../../../ports/fact-model.ts";
import { readableName } from "../../../text/type-names.ts";

/** Read beside a text at a time; the model was taught with up to 45. */
export const MAX_LABELS = 48;
const MAX_RUNS = 8;
const MAX_DESCRIPTION = 240;
/** The length of a label's vector that the model was taught with. */
const LENGTH = 10;

/** Labels of one run, with the node types and edge types that they stand for, as indexes into those of the schema. */
export interface LabelRun {
  readonly labels: FactLabels;
  readonly types: readonly number[];
  readonly edges: readonly number[];
}

/**
 * All of an ontology in one run where there is room; else the types in groups, and the edge types in groups without types. Of more than eight
 * groups the rest is not read by the model.
 */
export async function prepareLabels(
  schema: OntologySchema,
  embed: (text: string) => Promise<Float32Array>,
): Promise<readonly LabelRun[]> {
  const types = schema.nodeTypes.flatMap(({ level }, at) => (level === 0 ? [at] : []));
  const edges = schema.edgeTypes.map((_, at) => at);
  const groups =
    types.length + edges.length <= MAX_LABELS
      ? [{ types, edges }]
      : [
          ...inGroups(types).map((group) => ({ types: group, edges: [] as number[] })),
          ...inGroups(edges).map((group) => ({ types: [] as number[], edges: group })),
        ].slice(0, MAX_RUNS);
  const runs: LabelRun[] = [];
  for (const group of groups) {
    const texts = [
      ...group.types.map((at) => typeText(schema.nodeTypes[at]!)),
      ...group.edges.map((at) => edgeText(schema.edgeTypes[at]!)),
    ];
    const vectors: number[] = [];
    for (const text of texts) for (const value of await embed(text)) vectors.push(LENGTH * value);
    const counts = { types: group.types.length, relations: group.edges.length };
    runs.push({ ...group, labels: { vectors: Float32Array.from(vectors), ...counts } });
  }
  return runs;
}

function inGroups(all: readonly number[]): readonly number[][] {
  const count = Math.ceil(all.length / MAX_LABELS);
  return Array.from({ length: count }, (_, at) => all.slice(at * MAX_LABELS, (at + 1) * MAX_LABELS));
}

function typeText({ name, description }: NodeType): string {
  return withDescription(readableName(name), description);
}

/** "person works for company: …": which end does what to which is told by the order. */
function edgeText({ name, description, sourceTypes, targetTypes }: EdgeType): string {
  const either = (types: readonly string[]) => types.map(readableName).join(" or ");
  const sentence = `${either(sourceTypes)} ${readableName(name)} ${either(targetTypes)}`;
  return withDescription(sentence, description);
}

function withDescription(words: string, description: string): string {
  const text = description
    .slice(0, 4 * MAX_DESCRIPTION)
    .replace(/\s+/g, " ")
    .trim();
  return text === "" ? words : `${words}: ${text.slice(0, MAX_DESCRIPTION)}`;
}
