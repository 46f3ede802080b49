/** Finds node types that a JSON text defines twice, which parsing hides: the last one silently wins. */

export interface RepeatedType {
  /** Index into the hierarchy. */
  readonly level: number;
  readonly name: string;
}

/** What an open bracket of the text is, as far as it matters here. */
type Role = "schema" | "ontology" | "hierarchy" | "level" | "types" | "other";

interface Open {
  readonly role: Role;
  readonly isArray: boolean;
  /** The key whose value comes next; null where a key comes next. */
  key: string | null;
  /** Values so far. */
  count: number;
}

const ROLE_OF_KEY: Readonly<Partial<Record<Role, readonly [key: string, role: Role]>>> = {
  schema: ["ontology", "ontology"],
  ontology: ["hierarchy", "hierarchy"],
  level: ["node_types", "types"],
};

/**
 * Names that stand twice in one `node_types` object of a schema's text, once each, in its order. The text must be valid JSON.
 * Where a member that leads there is itself repeated the last one counts, as in JSON.parse.
 */
export function findRepeatedTypes(json: string): readonly RepeatedType[] {
  const names = createNameCounts();
  const stack: Open[] = [];
  for (const token of tokensOf(json)) {
    const top = stack.at(-1);
    if (token === "{" || token === "[") {
      const role = roleOf(top, token === "[");
      names.opened(role, levelIndex(stack));
      stack.push({ role, isArray: token === "[", key: null, count: 0 });
    } else if (token === "}" || token === "]") stack.pop();
    else if (top === undefined) continue;
    else if (token === ",") {
      top.key = null;
      top.count += 1;
    } else if (!top.isArray && top.key === null) {
      top.key = JSON.parse(token) as string; // A JSON string.
      if (top.role === "types") names.add(levelIndex(stack), top.key);
    }
  }
  return names.repeated();
}

/** Strings and the signs of structure; numbers and words in between do not matter. A regular expression would overflow its stack on a long string. */
function* tokensOf(json: string): Generator<string> {
  let at = 0;
  while (at < json.length) {
    const sign = json[at] ?? "";
    const start = at;
    at += 1;
    if (sign === '"') {
      while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
      at += 1;
      yield json.slice(start, at);
    } else if ("{}[],".includes(sign)) yield sign;
  }
}

function roleOf(parent: Open | undefined, isArray: boolean): Role {
  if (parent === undefined) return isArray ? "other" : "schema";
  if (parent.role === "hierarchy") return isArray ? "other" : "level";
  const [key, role] = ROLE_OF_KEY[parent.role] ?? [null, "other"];
  if (key === null || parent.key !== key) return "other";
  return isArray === (role === "hierarchy") ? role : "other";
}

function levelIndex(stack: readonly Open[]): number {
  return stack.find(({ role }) => role === "hierarchy")?.count ?? 0;
}

function createNameCounts() {
  const levels = new Map<number, Map<string, number>>();
  return {
    /** Forgets what a repeated member supersedes. */
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
