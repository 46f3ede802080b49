/**
 * Finds node types that a JSON text defines twice. JSON.parse does not report them: it keeps the last one.
 */

export interface RepeatedType {
  /** Index into the hierarchy. */
  readonly level: number;
  readonly name: string;
}

/** Which part of the schema an object or array is; "other" for parts that cannot contain node types. */
type Role = "schema" | "ontology" | "hierarchy" | "level" | "types" | "other";

/** An object or array that is not yet closed. */
interface OpenBracket {
  readonly role: Role;
  readonly isArray: boolean;
  /** The key whose value follows; null when a key follows. */
  key: string | null;
  /** Number of complete values so far. */
  count: number;
}

const ROLE_OF_KEY: Readonly<Partial<Record<Role, readonly [key: string, role: Role]>>> = {
  schema: ["ontology", "ontology"],
  ontology: ["hierarchy", "hierarchy"],
  level: ["node_types", "types"],
};

/**
 * The names that occur more than once in one `node_types` object, each listed once, in the order of the text.
 * The text must be valid JSON. When a member on the path to `node_types` is itself repeated, its last
 * occurrence counts, as in JSON.parse. Linear in the length of the text.
 */
export function findRepeatedTypes(json: string): readonly RepeatedType[] {
  const names = createNameCounts();
  const stack: OpenBracket[] = [];
  let hierarchy: OpenBracket | null = null;
  for (const token of tokensOf(json)) {
    const top = stack.at(-1);
    if (token === "{" || token === "[") {
      const role = roleOf(top, token === "[");
      names.opened(role, hierarchy?.count ?? 0);
      const bracket = { role, isArray: token === "[", key: null, count: 0 };
      if (role === "hierarchy") hierarchy = bracket;
      stack.push(bracket);
    } else if (token === "}" || token === "]") stack.pop();
    else if (top === undefined) continue;
    else if (token === ",") {
      top.key = null;
      top.count += 1;
    } else if (!top.isArray && top.key === null) {
      top.key = JSON.parse(token) as string; // A JSON string.
      if (top.role === "types") names.add(hierarchy?.count ?? 0, top.key);
    }
  }
  return names.repeated();
}

/**
 * Strings, brackets and commas; numbers and literals are skipped. A regular expression would
 * overflow its stack on a long string.
 */
function* tokensOf(json: string): Generator<string> {
  let index = 0;
  while (index < json.length) {
    const character = json[index] ?? "";
    const start = index;
    index += 1;
    if (character === '"') {
      while (index < json.length && json[index] !== '"') index += json[index] === "\\" ? 2 : 1;
      index += 1;
      yield json.slice(start, index);
    } else if ("{}[],".includes(character)) yield character;
  }
}

function roleOf(parent: OpenBracket | undefined, isArray: boolean): Role {
  if (parent === undefined) return isArray ? "other" : "schema";
  if (parent.role === "hierarchy") return isArray ? "other" : "level";
  const [key, role] = ROLE_OF_KEY[parent.role] ?? [null, "other"];
  if (key === null || parent.key !== key) return "other";
  return isArray === (role === "hierarchy") ? role : "other";
}

function createNameCounts() {
  const levels = new Map<number, Map<string, number>>();
  return {
    /** Discards the names of earlier occurrences of the same member, which this one replaces. */
    opened(role: Role, level: number): void {
      if (role === "ontology" || role === "hierarchy") levels.clear();
      if (role === "types") levels.set(level, new Map());
    },
    add(level: number, name: string): void {
      const counts = levels.get(level);
      counts?.set(name, (counts.get(name) ?? 0) + 1);
    },
    repeated: (): readonly RepeatedType[] =>
      [...levels].flatMap(([level, counts]) =>
        [...counts].filter(([, count]) => count > 1).map(([name]) => ({ level, name })),
      ),
  };
}
