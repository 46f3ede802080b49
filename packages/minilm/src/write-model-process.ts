/** `node write-model-process.ts MODEL PACKAGE_DIR ONNX_PATH`: builds the file of a bundled model. Started by model-cache.ts. */
import { type BundledModel, MODEL_UNAVAILABLE, writeModel } from "./model-file.ts";
import { ModelUnavailableError } from "./model-unavailable-error.ts";

const [model = "", packageDir = "", onnxPath = ""] = process.argv.slice(2);
try {
  await writeModel(model as BundledModel, packageDir, onnxPath); // Set by model-cache.ts.
} catch (error) {
  if (!(error instanceof ModelUnavailableError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = MODEL_UNAVAILABLE;
}
