/** The differences between two ontologies, type by type. */

export interface Change {
  /** Added, removed or changed. */
  readonly sign: "+" | "-" | "~";
  readonly text: string;
}

type Members = Readonly<Record<string, unknown>>;

/** Ordered by name, node types first. Ignores the order within lists. */
export function diffOntologies(before: Members, after: Members): readonly Change[] {
  const [old, next] = [partsOf(before), partsOf(after)];
  return [
    ...diffByName("node type", old.nodeTypes, next.nodeTypes),
    ...diffByName("edge type", old.edgeTypes, next.edgeTypes),
  ];
}

type ByName = ReadonlyMap<string, Members>;

function partsOf(schema: Members): { readonly nodeTypes: ByName; readonly edgeTypes: ByName } {
  const ontology = objectOf(schema["ontology"]);
  const nodeTypes = listOf(ontology["hierarchy"]).flatMap((level) =>
    Object.entries(objectOf(objectOf(level)["node_types"])).map(
      ([name, type]) => [name, { level: objectOf(level)["level"], ...objectOf(type) }] as const,
    ),
  );
  const edgeTypes = listOf(ontology["edge_types"]).map((edge) => {
    const { name, ...rest } = objectOf(edge);
    return [String(name), rest] as const;
  });
  return { nodeTypes: new Map<string, Members>(nodeTypes), edgeTypes: new Map<string, Members>(edgeTypes) };
}

function diffByName(kind: string, before: ByName, after: ByName): readonly Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): readonly Change[] => {
    const [old, next] = [before.get(name), after.get(name)];
    if (next === undefined) return [{ sign: "-", text: `${kind} ${name}` }];
    if (old === undefined) return [{ sign: "+", text: `${kind} ${name}` }];
    return diffMembers(old, next).map((text) => ({ sign: "~", text: `${kind} ${name}: ${text}` }));
  });
}

function diffMembers(before: Members, after: Members): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const [old, next] = [before[name] ?? null, after[name] ?? null];
    if (canonical(old) === canonical(next) || (isEmpty(old) && isEmpty(next))) return [];
    if (isTextList(old) && isTextList(next)) return [`${name} ${diffTexts(old, next)}`];
    return [`${name} ${JSON.stringify(old)} → ${JSON.stringify(next)}`];
  });
}

function diffTexts(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((text) => !before.includes(text)).map((text) => `+${text}`);
  const removed = before.filter((text) => !after.includes(text)).map((text) => `-${text}`);
  return [...added, ...removed].join(" ");
}

/** JSON with sorted members and sorted list items, so that equivalent values give the same text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`,
  );
  return `{${members.sort().join(",")}}`;
}

/** The service treats an absent value, null, false, an empty list and an empty text alike. */
function isEmpty(value: unknown): boolean {
  return value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

/** Also true for an empty list. */
function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}
