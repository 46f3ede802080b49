/** Keeps session tokens as hashes. The library stores them in plain text and has no setting for this. */
import { createHash } from "node:crypto";
import type { DBAdapter, DBTransactionAdapter, Where } from "@better-auth/core/db/adapter";

/**
 * An adapter that stores the hash of a session's token and looks for it. A row that was made or found by its token has
 * the token again; other rows have the hash, which is not accepted as a token.
 */
export function hashSessionTokens(inner: DBAdapter): DBAdapter {
  return {
    ...hashTokensOf(inner),
    transaction: (run) => inner.transaction((scope) => run(hashTokensOf(scope))),
  };
}

function hashTokensOf(inner: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...inner,
    async create<T extends Record<string, unknown>, R = T>(input: Parameters<typeof inner.create<T, R>>[0]) {
      const { token } = input.data;
      if (input.model !== "session" || typeof token !== "string") return inner.create<T, R>(input);
      const row = await inner.create<T, R>({ ...input, data: { ...input.data, token: hashToken(token) } });
      return { ...row, token };
    },
    findOne: async <T>(input: Parameters<typeof inner.findOne>[0]) =>
      withToken(await inner.findOne<T>(byHash(input)), input),
    update: async <T>(input: Parameters<typeof inner.update>[0]) =>
      withToken(await inner.update<T>(byHash(input)), input),
    findMany: (input) => inner.findMany(byHash(input)),
    updateMany: (input) => inner.updateMany(byHash(input)),
    delete: (input) => inner.delete(byHash(input)),
    deleteMany: (input) => inner.deleteMany(byHash(input)),
    consumeOne: (input) => inner.consumeOne(byHash(input)),
    count: (input) => inner.count(byHash(input)),
  };
}

interface Search {
  readonly model: string;
  readonly where?: Where[] | undefined;
}

function byHash<Input extends Search>(input: Input): Input {
  if (input.model !== "session" || input.where === undefined) return input;
  const where = input.where.map((condition) => {
    if (condition.field !== "token") return condition;
    const tokens = [condition.value].flat().map((token) => hashToken(String(token)));
    return { ...condition, value: Array.isArray(condition.value) ? tokens : (tokens[0] ?? null) };
  });
  return { ...input, where };
}

function withToken<T>(row: T | null, { model, where }: Search): T | null {
  const token = where?.find(({ field }) => field === "token")?.value;
  return model === "session" && row !== null && typeof token === "string" ? { ...row, token } : row;
}

/** Tokens are random, so that a fast hash without salt is enough. */
function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}
