/** Whether the graphs of a model have the inputs and outputs that its task needs, by what its files say. */
import { join } from "node:path";
import type { ModelDescription } from "./describe-model.ts";
import {
  isTokenGraph,
  requireLabelsGraph,
  requireReaderGraph,
  requireRelationsGraph,
} from "./gliner/reader-graphs.ts";
import { readGraphShape } from "./onnx-file.ts";
import { requireTextGraph } from "./text-graph.ts";

/** Reads no weights, so it takes milliseconds. @throws ModelFault that names the file */
export function requireGraphs(model: ModelDescription): void {
  const { folder, weights, reader } = model;
  const path = join(folder, weights);
  const graph = readGraphShape(path);
  if (reader === null) {
    requireTextGraph(graph, path, model);
    return;
  }
  requireReaderGraph(graph, path, reader);
  const { labelsGraph, relationsGraph } = reader;
  if (labelsGraph !== null) {
    const labels = join(folder, labelsGraph);
    requireLabelsGraph(readGraphShape(labels), labels);
  }
  if (relationsGraph !== null) {
    const relations = join(folder, relationsGraph);
    requireRelationsGraph(readGraphShape(relations), relations, isTokenGraph(graph));
  }
}
