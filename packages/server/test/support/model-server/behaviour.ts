/** What the model server does with one request, and short words for the usual ways to misbehave. */

/** Says something, as a real model would. */
export interface Saying {
  readonly kind: "say";
  readonly text: string;
  /** Before the first byte. */
  readonly delayMs?: number;
  /** "length": the output limit cut the text off. */
  readonly finishReason?: "stop" | "length";
  /** As the server bills them; counted from the texts when left out. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Of a stream only: waits after so many characters, then goes on or breaks the connection off. */
  readonly rest?: { readonly after: number; readonly until: Promise<"go on" | "break off"> };
}

/** Calls one of the tools that the request offers. */
export interface ToolCalling {
  readonly kind: "call_tool";
  readonly name: string;
  readonly arguments: string;
}

/** Answers with an error in the protocol's form. */
export interface Refusing {
  readonly kind: "refuse";
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayMs?: number;
}

/** Closes the connection after so many bytes of what it would have said: 0 = before the head. */
export interface Dropping {
  readonly kind: "drop";
  readonly afterBytes: number;
}

/** Never answers; the connection stays open until the client or the server closes it. */
export interface Hanging {
  readonly kind: "hang";
}

/** Sends bytes as they are, in place of the protocol's answer. */
export interface Babbling {
  readonly kind: "babble";
  readonly body: string;
  readonly contentType?: string;
  readonly delayMs?: number;
}

export type Behaviour = Saying | ToolCalling | Refusing | Dropping | Hanging | Babbling;

/** A text, or a value as JSON. */
export function say(content: unknown, options: Omit<Saying, "kind" | "text"> = {}): Saying {
  return { kind: "say", text: typeof content === "string" ? content : JSON.stringify(content), ...options };
}

export function slow(delayMs: number, content: unknown): Saying {
  return say(content, { delayMs });
}

/** 429; `retryAfter` in seconds or as an HTTP date. */
export function tooMany(retryAfter?: number | string): Refusing {
  return {
    kind: "refuse",
    status: 429,
    message: "Rate limit reached for requests",
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } }),
  };
}

export function refuse(status: number, message = "The server had an error"): Refusing {
  return { kind: "refuse", status, message };
}

export function drop(afterBytes = 0): Dropping {
  return { kind: "drop", afterBytes };
}

export const hang: Hanging = { kind: "hang" };

/** JSON that ends in the middle, as with an output limit: by default after two thirds. */
export function truncated(value: unknown, share = 2 / 3): Saying {
  const text = JSON.stringify(value);
  return say(text.slice(0, Math.floor(text.length * share)), { finishReason: "length" });
}

/** JSON with talk around it, in a fence of Markdown. */
export function prose(value: unknown): Saying {
  const json = JSON.stringify(value, null, 2);
  return say(`Sure! Here is what I found:\n\n\`\`\`json\n${json}\n\`\`\`\n\nLet me know {if} you need more.`);
}

export const empty: Saying = { kind: "say", text: "" };
