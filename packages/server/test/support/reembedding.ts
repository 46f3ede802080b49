/** What tests of moves to other embedding models share: two models of one server, a gate before it, and what is compared. */
import type { Client, Success } from "./http-client.ts";
import { type PlacedChunk, placedChunks, waitFor } from "./ingestion.ts";
import type { Behaviour } from "./model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "./model-server/model-server.ts";
import type { EmbeddingRequest } from "./model-server/request.ts";

export type Reembedding = Success<"reembedProject">;

/** What stands in the environment of a service that knows both. */
export const NEW_MODEL = { name: "openai-compatible/new-vectors", dimensions: 16 } as const;
export const OLD_MODEL = { name: "openai-compatible/old-vectors", dimensions: 8 } as const;

export interface Gate {
  readonly server: ModelServer;
  /** Texts of the new model that were answered. */
  readonly answered: readonly string[];
  /** Requests for vectors of the new model wait where a text is like this; null lets all through. */
  hold(texts: RegExp | null): void;
  /** How many wait. */
  readonly waiting: number;
  /** In place of vectors of the new model; null = vectors. */
  misbehave(behaviour: ((request: EmbeddingRequest) => Behaviour | null) | null): void;
  close(): Promise<void>;
}

/** A server whose new model answers what it is allowed to. */
export async function startGate(): Promise<Gate> {
  const answered: string[] = [];
  const waiting = new Set<() => void>();
  let held: RegExp | null = null;
  let misbehaviour: ((request: EmbeddingRequest) => Behaviour | null) | null = null;
  const server = await startModelServer({
    async embeddings(request) {
      if (request.model !== "new-vectors") return null;
      if (request.inputs.some((text) => held?.test(text)))
        await new Promise<void>((resolve) => waiting.add(resolve));
      const behaviour = misbehaviour?.(request) ?? null;
      if (behaviour === null) answered.push(...request.inputs);
      return behaviour;
    },
  });
  const hold = (texts: RegExp | null) => {
    held = texts;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return {
    ...{ server, answered, hold },
    get waiting() {
      return waiting.size;
    },
    misbehave(behaviour) {
      misbehaviour = behaviour;
    },
    async close() {
      hold(null);
      await server.close();
    },
  };
}

/** New projects have the old model; the new one is beside it. */
export function environmentOf(server: ModelServer): Record<string, string> {
  const group = (prefix: string, model: typeof NEW_MODEL | typeof OLD_MODEL) => ({
    [`${prefix}_BASE_URL`]: server.baseUrl,
    [`${prefix}_MODEL`]: model.name.slice(model.name.indexOf("/") + 1),
    [`${prefix}_DIMENSIONS`]: String(model.dimensions),
  });
  return { ...group("KCS_EMBEDDING", OLD_MODEL), ...group("KCS_EMBEDDING_PREVIOUS", NEW_MODEL) };
}

/** The move once it has ended. */
export function waitForMove(owner: Client, projectId: string): Promise<Reembedding> {
  return waitFor(`the move of ${projectId}`, async () => {
    const move = await owner.succeed("getReembedding", { params: { project_id: projectId } });
    return move.status === "pending" || move.status === "running" ? null : move;
  });
}

/** What questions are answered, without what two projects number differently. */
export async function rankedLists(owner: Client, projectId: string, questions: readonly string[]) {
  const lists: (Omit<PlacedChunk, "chunk_id"> & { readonly question: string })[] = [];
  for (const question of questions) {
    for (const { chunk_id: _id, ...chunk } of await placedChunks(owner, projectId, question))
      lists.push({ question, ...chunk });
  }
  return lists;
}
