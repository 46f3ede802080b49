/** A model server, a store in memory and a client between them. */
import type { TestContext } from "node:test";
import { createLanguageModel } from "../../src/adapters/models/language/create-language-model.ts";
import type { LanguageModelSettings } from "../../src/adapters/models/language/settings.ts";
import { type LanguageModel, ModelError, type ModelRequest } from "../../src/ports/language-model.ts";
import type { ModelActivity } from "../../src/ports/model-activity.ts";
import type { ModelStore, ModelUse } from "../../src/ports/model-store.ts";
import {
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from "../support/model-server/model-server.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";

export const schema = {
  type: "object",
  properties: { facts: { type: "array", items: { type: "string" } } },
  required: ["facts"],
  additionalProperties: false,
} as const;

export const request: ModelRequest = {
  task: "suggestion",
  promptVersion: 1,
  system: "You list facts.",
  prompt: "The lamp is lit.",
  schema,
  maxOutputTokens: 500,
  deadlineMs: null,
  meter: { accountId: "account-1", projectId: null, jobId: null },
};

export interface MemoryModelStore extends ModelStore {
  readonly uses: readonly ModelUse[];
  readonly replies: ReadonlyMap<string, string>;
  readonly trims: number;
}

/** Tokens used so far count from `tokensUsed` on. */
export function createMemoryModelStore(tokensUsed = 0): MemoryModelStore {
  const uses: ModelUse[] = [];
  const replies = new Map<string, string>();
  let trims = 0;
  const placeOf = ({ accountId, key }: { accountId: string; key: string }) => `${accountId} ${key}`;
  return {
    uses,
    replies,
    get trims() {
      return trims;
    },
    readTokenUse: async () => uses.reduce((sum, use) => sum + use.inputTokens + use.outputTokens, tokensUsed),
    async findModelReply(place) {
      const text = replies.get(placeOf(place));
      return text === undefined ? null : { text, usedAt: 0 };
    },
    touchModelReply: async () => undefined,
    async recordModelUse({ use, reply }) {
      uses.push(use);
      if (reply !== null) replies.set(placeOf({ accountId: use.accountId, key: reply.key }), reply.text);
    },
    async trimModelReplies() {
      trims += 1;
      return 0;
    },
    listModelUse: async () => uses,
  };
}

export interface Scene {
  readonly server: ModelServer;
  readonly model: LanguageModel;
  readonly store: MemoryModelStore;
  readonly clock: FakeClock;
  readonly activities: readonly ModelActivity[];
  readonly warnings: readonly unknown[];
}

export async function createScene(
  context: TestContext,
  options: ModelServerOptions & {
    settings?: Partial<LanguageModelSettings>;
    tokenLimit?: number;
    tokensUsed?: number;
  } = {},
): Promise<Scene> {
  const server = await startModelServer(options);
  context.after(() => server.close());
  const store = createMemoryModelStore(options.tokensUsed);
  const clock = createFakeClock();
  const activities: ModelActivity[] = [];
  const warnings: unknown[] = [];
  const ignore = () => undefined;
  const warn = (event: string, fields?: object) => void warnings.push({ event, ...fields });
  const model = createLanguageModel(settingsFor(server.baseUrl, options.settings), {
    store,
    clock,
    tokenLimit: options.tokenLimit ?? null,
    log: { debug: ignore, info: ignore, warn, error: warn },
    onActivity: (activity) => void activities.push(activity),
  });
  return { server, model, store, clock, activities, warnings };
}

export function settingsFor(
  baseUrl: string,
  over: Partial<LanguageModelSettings> = {},
): LanguageModelSettings {
  return {
    provider: "openai-compatible",
    baseUrl,
    apiKey: "key-of-the-operator",
    model: "large",
    extractionModel: "small",
    prices: null,
    tryTimeoutMs: 5_000,
    maxConcurrent: 16,
    ...over,
  };
}

/** Rejects what is no ModelError with these members. */
export function failsWith(expected: { failure: ModelError["failure"]; retryAt?: "set" | null }) {
  return (error: unknown) =>
    error instanceof ModelError &&
    error.failure === expected.failure &&
    (expected.retryAt === "set") === (error.retryAt !== null);
}
