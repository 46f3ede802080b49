/** `node write-model-process.ts PACKAGE_DIR ONNX_PATH`: builds the model's file. Started by model-cache.ts. */
import { MODEL_UNAVAILABLE, writeModel } from "./model-file.ts";
import { ModelUnavailableError } from "./model-unavailable-error.ts";

const [packageDir = "", onnxPath = ""] = process.argv.slice(2);
try {
  await writeModel(packageDir, onnxPath);
} catch (error) {
  if (!(error instanceof ModelUnavailableError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = MODEL_UNAVAILABLE;
}
