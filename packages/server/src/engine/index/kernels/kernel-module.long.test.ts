import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openKernelModule } from "./kernel-module.ts";
import { webAssembly } from "./web-assembly.ts";

/** Imported dynamically, because a static import would add the compiler's types to the service's program. */
async function loadCompiler(): Promise<{ compileKernels(): Promise<Uint8Array> }> {
  const path = new URL("../../../../kernels/build.ts", import.meta.url).href;
  return (await import(path)) as { compileKernels(): Promise<Uint8Array> };
}

test("memory that is not shared is rejected with an explanation", () => {
  const own = new webAssembly.Memory({ initial: 1, maximum: 1, shared: false });
  assert.throws(() => openKernelModule(own), /SIMD, threads/);
});

test("the committed module matches its compiled source and has no data section", async () => {
  const committed = await readFile(new URL("./search-kernels.wasm", import.meta.url));
  const compiled = await (await loadCompiler()).compileKernels();
  assert.ok(committed.equals(compiled), "recompile it: node packages/server/kernels/build.ts");
  const sections: number[] = [];
  for (let at = 8; at < committed.length; ) {
    sections.push(committed[at++]!);
    let size = 0;
    for (let shift = 0, byte = 0x80; byte > 0x7f; shift += 7) {
      byte = committed[at++]!;
      size |= (byte & 0x7f) << shift;
    }
    at += size;
  }
  const dataSection = 11;
  assert.ok(sections.length > 4 && !sections.includes(dataSection));
});
