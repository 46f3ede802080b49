/** `npm run docs:sdk`: writes the SDK's reference from its types. */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { readSdkTypes } from "./sdk-reference/read-types.ts";
import { writeReference } from "./sdk-reference/write-reference.ts";

const path = resolve(import.meta.dirname, "../docs/sdk-reference.md");
await writeFile(path, writeReference(readSdkTypes()));
process.stdout.write("wrote docs/sdk-reference.md\n");
