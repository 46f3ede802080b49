/** Which model a folder holds, by the hashes of the files that decide its output. */
import { createHash } from "node:crypto";
import type { Device } from "../runtime/onnx-session.ts";
import { graphsOf, type ModelDescription, weightFiles } from "./describe-model.ts";
import { readManifest, sha256OfFile } from "./manifest.ts";
import { ModelFault } from "./model-fault.ts";
import { requireFile } from "./models-folder.ts";

/** Plain data, which is passed to threads. */
export interface IdentifiedModel extends ModelDescription {
  /** Of what decides the output: weights, tokenizer, pooling, prefixes and lengths. */
  readonly fingerprint: string;
  /** SHA-256 of the weights and the tokenizer by path: the recorded ones, else those of the files. */
  readonly hashes: Readonly<Record<string, string>>;
  /** What computes it. Vectors of two devices differ in their last digits, and are compared. */
  readonly device: Device;
}

/** Reads files whose hash is not recorded, a second or less for each gigabyte. @throws ModelFault */
export async function identifyModel(
  model: ModelDescription,
  device: Device = "cpu",
): Promise<IdentifiedModel> {
  const { folder, pooling, queryPrefix, passagePrefix, maxTokens } = model;
  const { files = {} } = await readManifest(folder);
  const hashes: Record<string, string> = {};
  const weightPaths = (await Promise.all(graphsOf(model).map((graph) => weightFiles(folder, graph)))).flat();
  for (const path of new Set([...weightPaths, "tokenizer.json", ...(model.reader?.files ?? [])]))
    hashes[path] = files[path]?.sha256 ?? (await sha256OfFile(await requireFile(folder, path)));
  const decisive = [hashes, pooling, queryPrefix, passagePrefix, maxTokens];
  const fingerprint = createHash("sha256").update(JSON.stringify(decisive)).digest("hex").slice(0, 8);
  return { ...model, hashes, fingerprint, device };
}

/** @throws ModelFault for a file that is missing, or is not the one by which the model was identified */
export async function requireIntact({ id, folder, hashes }: IdentifiedModel): Promise<void> {
  for (const [path, expected] of Object.entries(hashes)) {
    const full = await requireFile(folder, path);
    if ((await sha256OfFile(full)) === expected) continue;
    throw new ModelFault(
      `${full} is damaged or was replaced. Add the model again: kcs-server models remove ${id}, then kcs-server models add ${id}.`,
    );
  }
}
