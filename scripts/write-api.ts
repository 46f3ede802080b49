/** `npm run api`: generates the OpenAPI document and the SDK's types. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { generatedFiles } from "./api/generated-files.ts";

const root = resolve(import.meta.dirname, "..");

for (const { path, text } of generatedFiles()) {
  await writeFile(join(root, path), text);
  process.stdout.write(`wrote ${path}\n`);
}
