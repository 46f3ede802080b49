/**
 * A server that speaks OpenAI's protocol: `/v1/embeddings` from the vectors of the input, `/v1/chat/completions` by rule.
 * `/work` says what it has done since the last time it was asked.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { parentPort, workerData } from "node:worker_threads";
import { openMiniLmEmbedder } from "../../packages/server/src/adapters/models/minilm-embedder.ts";
import { replyTo } from "./chat-reply.ts";
import { readInput } from "./input.ts";
import type { ModelWork } from "./peer.ts";

export interface ModelServerData {
  readonly folder: string;
  readonly modelFolder: string;
}

interface ChatRequest {
  readonly messages: readonly { readonly content: string }[];
}

interface EmbeddingsRequest {
  readonly input: readonly string[];
}

const port = parentPort;
if (port !== null) {
  const { folder, modelFolder } = workerData as ModelServerData; // Set by `startModelServer`.
  const { vectors } = await readInput(folder);
  const model = await openMiniLmEmbedder(modelFolder);
  let work = { chats: 0, texts: 0, embedded: 0, embeddedSeconds: 0 };

  const embedUnknown = async (text: string) => {
    const began = performance.now();
    const vector = await model.embed(text);
    work.embedded++;
    work.embeddedSeconds += (performance.now() - began) / 1_000;
    return vector;
  };
  let turn: Promise<unknown> = Promise.resolve();
  /** Unknown texts one after the other, so that the seconds do not overlap. */
  const embed = (text: string) => {
    work.texts++;
    const known = vectors.get(text);
    if (known !== undefined) return Promise.resolve(known);
    const embedded = turn.then(() => embedUnknown(text));
    turn = embedded;
    return embedded;
  };
  const answerChat = ({ messages }: ChatRequest) => {
    work.chats++;
    const texts = messages.map(({ content }) => content);
    const content = replyTo({ last: texts.at(-1) ?? "", all: texts.join("\n") });
    return { object: "chat.completion", choices: [{ index: 0, message: { role: "assistant", content } }] };
  };
  /** As OpenAI's clients ask for them: float32 in base64. */
  const answerEmbeddings = async ({ input }: EmbeddingsRequest) => {
    const data = [];
    for (const [index, text] of input.entries()) {
      const { buffer, byteOffset, byteLength } = await embed(text);
      const embedding = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
      data.push({ object: "embedding", index, embedding });
    }
    return { object: "list", data };
  };
  const takeWork = (): ModelWork => {
    const done = work;
    work = { chats: 0, texts: 0, embedded: 0, embeddedSeconds: 0 };
    return done;
  };
  // Only our adapters call it, with bodies of these shapes.
  const answer = async (request: IncomingMessage) => {
    if (request.url === "/work") return takeWork();
    if (request.url === "/v1/chat/completions") return answerChat((await json(request)) as ChatRequest);
    return answerEmbeddings((await json(request)) as EmbeddingsRequest);
  };
  // A peer that computes for long keeps its connections.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    response.end(JSON.stringify(await answer(request)));
  });
  server.listen(0, "127.0.0.1", () => port.postMessage((server.address() as AddressInfo).port)); // It listens on a port.
}
