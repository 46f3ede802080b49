/** The installed packages as npm's lock file describes them, and which of them only one workspace needs. */

/** An entry of `packages` in package-lock.json: a workspace, or a package in a folder `node_modules`. */
export interface LockedPackage {
  readonly link?: boolean;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly optionalDependencies?: Names;
  readonly peerDependencies?: Names;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

type Names = Readonly<Record<string, string>>;

/** By path relative to the repository; "" is the repository itself. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/**
 * Paths of the packages that `workspace` needs and no other workspace does, sorted. Optional peers do not count as needed:
 * better-auth names `react` as one, and the server never loads that part of it.
 */
export function packagesOnlyFor(packages: LockedPackages, workspace: string): readonly string[] {
  const workspaces = Object.keys(packages).filter((path) => !isInstalled(path));
  const needed = reachableFrom(
    packages,
    workspaces.filter((path) => path !== workspace),
  );
  return [...reachableFrom(packages, [workspace])]
    .filter((path) => isInstalled(path) && packages[path]?.link !== true && !needed.has(path))
    .sort();
}

function isInstalled(path: string): boolean {
  return /(^|\/)node_modules\//.test(path);
}

function reachableFrom(packages: LockedPackages, starts: readonly string[]): ReadonlySet<string> {
  const reached = new Set(starts);
  // A set yields the items that are added while it is iterated.
  for (const path of reached) {
    for (const name of namesNeededBy(packages[path] ?? {})) {
      const dependency = resolve(packages, path, name);
      if (dependency !== null) reached.add(dependency);
    }
  }
  return reached;
}

function namesNeededBy(entry: LockedPackage): readonly string[] {
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  );
  const { dependencies = {}, devDependencies = {}, optionalDependencies = {} } = entry;
  return [dependencies, devDependencies, optionalDependencies].flatMap(Object.keys).concat(peers);
}

/** Node's rule: the nearest `node_modules` upwards that has the package. */
function resolve(packages: LockedPackages, from: string, name: string): string | null {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (path in packages) return path;
    if (folder === "") return null;
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
