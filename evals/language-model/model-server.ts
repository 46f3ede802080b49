/** A server of the OpenAI protocol that answers with recorded replies, as slowly as a model would, and keeps count. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type RecordedPassage, replyTo } from "./recorded-replies.ts";

export interface ServedCounts {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the schemas that replies are locked to; providers that lock decoding do not bill them. */
  readonly schemaTokens: number;
  /** Sum over the calls, from the whole request to the end of the reply. */
  readonly latencyMs: number;
  readonly mostAtOnce: number;
  /** From the first call's begin to the last one's end. */
  readonly spanMs: number;
  /** Requests for texts that no passage has. */
  readonly unknown: number;
}

export interface RecordedServer {
  readonly baseUrl: string;
  /** Since the last call of it. */
  takeCounts(): ServedCounts;
  close(): Promise<void>;
}

export interface Latency {
  readonly firstTokenMs: number;
  readonly msPerToken: number;
}

const NOTHING: ServedCounts = {
  ...{ calls: 0, inputTokens: 0, outputTokens: 0, schemaTokens: 0 },
  ...{ latencyMs: 0, mostAtOnce: 0, spanMs: 0, unknown: 0 },
};

interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly { readonly content?: unknown }[];
  readonly response_format?: { readonly json_schema?: { readonly schema?: unknown } };
}

export async function startRecordedServer(
  passages: readonly RecordedPassage[],
  { latency, tokensOf }: { readonly latency: Latency; readonly tokensOf: (text: string) => number },
): Promise<RecordedServer> {
  const findPassage = createFinder(passages);
  let counts = NOTHING;
  let running = 0;
  let firstBegan = 0;

  async function answer(body: ChatBody): Promise<unknown> {
    const began = performance.now();
    if (counts === NOTHING) firstBegan = began;
    const contents = (body.messages ?? []).map(({ content }) => textOf(content));
    const part = textBetweenMarks(contents.at(-1) ?? "");
    const passage = findPassage(part);
    const content = JSON.stringify(passage === null ? { facts: [] } : replyTo(passage, part));
    const usage = {
      prompt_tokens: tokensOf(contents.join("")),
      completion_tokens: tokensOf(content),
      total_tokens: tokensOf(contents.join("")) + tokensOf(content),
    };
    counts = { ...counts, mostAtOnce: Math.max(counts.mostAtOnce, ++running) };
    await sleep(latency.firstTokenMs + latency.msPerToken * usage.completion_tokens);
    running--;
    counts = {
      ...counts,
      calls: counts.calls + 1,
      inputTokens: counts.inputTokens + usage.prompt_tokens,
      outputTokens: counts.outputTokens + usage.completion_tokens,
      schemaTokens:
        counts.schemaTokens + tokensOf(JSON.stringify(body.response_format?.json_schema?.schema ?? "")),
      latencyMs: counts.latencyMs + performance.now() - began,
      spanMs: performance.now() - firstBegan,
      unknown: counts.unknown + (passage === null ? 1 : 0),
    };
    return {
      ...{ id: "recorded", object: "chat.completion", created: 0, model: body.model ?? "recorded" },
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage,
    };
  }

  const server = createServer((request, response) => {
    readBody(request)
      .then((text) => answer(JSON.parse(text) as ChatBody)) // Looked at member by member.
      .then((reply) =>
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply)),
      )
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const port = await listen(server);
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    takeCounts() {
      const taken = counts;
      counts = NOTHING;
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The passage that a part is of: by its title and by how it ends. */
function createFinder(passages: readonly RecordedPassage[]): (part: string) => RecordedPassage | null {
  const whole = (text: string) => text.replace(/\s+/g, " ").trim();
  const texts = passages.map((passage) => ({ passage, text: whole(`${passage.title} ${passage.text}`) }));
  return (part) => {
    const end = whole(part).slice(-80);
    return end === "" ? null : (texts.find(({ text }) => text.includes(end))?.passage ?? null);
  };
}

function textBetweenMarks(prompt: string): string {
  return /^<(text\d*)>\n([\s\S]*)\n<\/\1>/.exec(prompt)?.[2] ?? prompt;
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { readonly text?: unknown }) => String(part.text ?? "")).join("");
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // No encoding is set.
  return Buffer.concat(chunks).toString("utf8");
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
