/**
 * `node packages/server/kernels/build.ts` compiles search-kernels.ts into the WebAssembly module that the
 * service loads.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { main } from "assemblyscript/asc";

const source = "search-kernels.ts";
const target = join(import.meta.dirname, "../src/engine/index/kernels/search-kernels.wasm");
const flags = [
  ["-O3", "--runtime", "stub", "--use", "abort="],
  [
    "--importMemory",
    "--noExportMemory",
    "--sharedMemory",
    "--initialMemory",
    "1",
    "--maximumMemory",
    "65536",
  ],
  ["--enable", "simd", "--enable", "threads"],
].flat();

/**
 * Returns the module's bytes, which are deterministic. Throws an Error with the compiler's output if
 * compilation fails.
 */
export async function compileKernels(): Promise<Uint8Array<ArrayBuffer>> {
  let binary: Uint8Array | null = null;
  const { error, stderr } = await main(
    [source, "--baseDir", import.meta.dirname, "--outFile", "out.wasm", ...flags],
    {
      writeFile(_name, contents) {
        if (typeof contents !== "string") binary = contents;
      },
    },
  );
  if (error !== null || binary === null)
    throw new Error(`the search kernels do not compile: ${stderr.toString()}`);
  return Uint8Array.from(binary);
}

if (import.meta.main) await writeFile(target, await compileKernels());
