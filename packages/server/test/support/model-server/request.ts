/** Reads the requests of the OpenAI protocol as a real server does: what is wrong with one is refused. */
import type { IncomingHttpHeaders } from "node:http";

export interface ChatRequest {
  readonly kind: "chat";
  /** Counts the requests to the chat endpoint, from 0. */
  readonly index: number;
  readonly model: string;
  /** All system messages. */
  readonly system: string;
  /** The last message of the user. */
  readonly prompt: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  /** The JSON Schema of `response_format`, null without one. */
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly isStrict: boolean;
  readonly tools: readonly string[];
  readonly isStream: boolean;
  readonly includesUsage: boolean;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a request does wrong, in the words of the protocol's error. */
export class RequestFault extends Error {
  readonly parameter: string | null;

  constructor(message: string, parameter: string | null) {
    super(message);
    this.parameter = parameter;
  }
}

/** @throws RequestFault */
export function readChatRequest(
  body: Readonly<Record<string, unknown>>,
  context: { readonly index: number; readonly headers: IncomingHttpHeaders },
): ChatRequest {
  if (typeof body["model"] !== "string" || body["model"] === "") {
    throw new RequestFault("you must provide a model parameter", "model");
  }
  const messages = readMessages(body["messages"]);
  const { schema, isStrict } = readResponseFormat(body["response_format"]);
  return {
    kind: "chat",
    ...context,
    model: body["model"],
    system: messages
      .filter(({ role }) => role === "system" || role === "developer")
      .map(({ content }) => content)
      .join("\n"),
    prompt: messages.findLast(({ role }) => role === "user")?.content ?? "",
    messages,
    schema,
    isStrict,
    tools: readTools(body["tools"]),
    isStream: body["stream"] === true,
    includesUsage: isRecord(body["stream_options"]) && body["stream_options"]["include_usage"] === true,
    maxTokens: numberOf(body["max_completion_tokens"]) ?? numberOf(body["max_tokens"]),
    temperature: numberOf(body["temperature"]),
    body,
  };
}

function readMessages(messages: unknown): ChatRequest["messages"] {
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new RequestFault("[] is too short - 'messages'", "messages");
  }
  return messages.map((message: unknown, index) => {
    if (!isRecord(message) || typeof message["role"] !== "string") {
      throw new RequestFault(`'messages.${index}.role' is a required property`, `messages.${index}.role`);
    }
    return { role: message["role"], content: contentOf(message["content"]) };
  });
}

/** A text, or the texts among its parts. */
function contentOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) => (isRecord(part) && typeof part["text"] === "string" ? part["text"] : ""))
    .join("");
}

function readResponseFormat(format: unknown): Pick<ChatRequest, "schema" | "isStrict"> {
  if (format === undefined || format === null) return { schema: null, isStrict: false };
  const type = isRecord(format) ? format["type"] : undefined;
  if (type === "text" || type === "json_object") return { schema: null, isStrict: false };
  if (!isRecord(format) || type !== "json_schema") {
    throw new RequestFault(
      `Invalid value: '${String(type)}'. Supported values are: 'json_object', 'json_schema', and 'text'.`,
      "response_format.type",
    );
  }
  const described = format["json_schema"];
  if (!isRecord(described) || typeof described["name"] !== "string") {
    throw new RequestFault(
      "Missing required parameter: 'response_format.json_schema.name'.",
      "response_format",
    );
  }
  if (!isRecord(described["schema"])) {
    throw new RequestFault(
      "Missing required parameter: 'response_format.json_schema.schema'.",
      "response_format",
    );
  }
  return { schema: described["schema"], isStrict: described["strict"] === true };
}

function readTools(tools: unknown): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: unknown, index) => {
    const described = isRecord(tool) ? tool["function"] : undefined;
    if (!isRecord(described) || typeof described["name"] !== "string") {
      throw new RequestFault(`Missing required parameter: 'tools[${index}].function'.`, "tools");
    }
    return described["name"];
  });
}

export interface EmbeddingRequest {
  readonly kind: "embeddings";
  /** Counts the requests to the embedding endpoint, from 0. */
  readonly index: number;
  readonly model: string;
  readonly inputs: readonly string[];
  readonly dimensions: number | null;
  readonly isBase64: boolean;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @throws RequestFault */
export function readEmbeddingRequest(
  body: Readonly<Record<string, unknown>>,
  context: { readonly index: number; readonly headers: IncomingHttpHeaders },
): EmbeddingRequest {
  if (typeof body["model"] !== "string" || body["model"] === "") {
    throw new RequestFault("you must provide a model parameter", "model");
  }
  const given = typeof body["input"] === "string" ? [body["input"]] : body["input"];
  const isUsable = Array.isArray(given) && given.length > 0 && given.length <= 2_048;
  if (!isUsable || !given.every((text) => typeof text === "string" && text !== "")) {
    throw new RequestFault("'$.input' is invalid.", "input");
  }
  return {
    kind: "embeddings",
    ...context,
    model: body["model"],
    inputs: given,
    dimensions: numberOf(body["dimensions"]),
    isBase64: body["encoding_format"] === "base64",
    body,
  };
}

export interface RerankRequest {
  readonly kind: "rerank";
  /** Counts the requests to the rerank endpoint, from 0. */
  readonly index: number;
  readonly model: string;
  readonly query: string;
  /** The member that has the passages. */
  readonly member: "documents" | "texts";
  readonly passages: readonly string[];
  readonly topN: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @throws RequestFault */
export function readRerankRequest(
  body: Readonly<Record<string, unknown>>,
  context: { readonly index: number; readonly headers: IncomingHttpHeaders },
): RerankRequest {
  const { model, query } = body;
  const member = "texts" in body ? "texts" : "documents";
  const passages = body[member];
  if (typeof model !== "string" || model === "") throw new RequestFault("model is required", "model");
  if (typeof query !== "string" || query === "") throw new RequestFault("query is required", "query");
  if (!Array.isArray(passages) || passages.length === 0)
    throw new RequestFault(`missing field \`${member}\``, member);
  if (!passages.every((passage) => typeof passage === "string"))
    throw new RequestFault("passages must be texts", member);
  return { kind: "rerank", ...context, model, query, member, passages, topN: numberOf(body["top_n"]), body };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
