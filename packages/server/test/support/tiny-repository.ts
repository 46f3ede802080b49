/** The files of a repository of a hub, of an embedding model. */
import { EMBEDDING_PORTS, graphFile } from "./onnx-graphs.ts";

export const ID = "tester/tiny";
export const WEIGHTS = "onnx/model.onnx";

export const weights = graphFile(EMBEDDING_PORTS, 300_000);
/** Not a model that could run: adding reads only what the files say. */
export const FILES = new Map<string, Buffer>([
  [
    "config.json",
    json({ model_type: "bert", architectures: ["BertModel"], hidden_size: 8, max_position_embeddings: 64 }),
  ],
  ["tokenizer.json", json({ version: "1.0" })],
  ["1_Pooling/config.json", json({ pooling_mode_cls_token: true })],
  ["README.md", Buffer.from("Not downloaded.")],
  ["pytorch_model.bin", Buffer.alloc(10)],
  [WEIGHTS, weights],
]);

export function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
