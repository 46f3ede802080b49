/** Answers of `/chat/completions`: whole, or as server-sent events. */
import type { Saying, ToolCalling } from "./behaviour.ts";
import type { ChatRequest } from "./request.ts";

const CREATED = 1_900_000_000;
/** Characters in one event of a stream. */
export const DELTA_LENGTH = 16;

type Said = Saying | ToolCalling;

export function presentCompletion(request: ChatRequest, said: Said): string {
  return JSON.stringify({
    ...headOf(request, "chat.completion"),
    choices: [{ index: 0, message: messageOf(said), logprobs: null, finish_reason: finishOf(said) }],
    usage: usageOf(request, said),
  });
}

/** The events of a stream, each with the blank line that ends it. */
export function presentStream(request: ChatRequest, said: Said): readonly string[] {
  const head = headOf(request, "chat.completion.chunk");
  const event = (delta: object, finish: string | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const usage = JSON.stringify({ ...head, choices: [], usage: usageOf(request, said) });
  return [
    event({ role: "assistant", content: "" }, null),
    ...deltasOf(said).map((delta) => event(delta, null)),
    event({}, finishOf(said)),
    ...(request.includesUsage ? [`data: ${usage}\n\n`] : []),
    "data: [DONE]\n\n",
  ];
}

function headOf(request: ChatRequest, object: string) {
  return { id: `chatcmpl-${request.index}`, object, created: CREATED, model: request.model };
}

function messageOf(said: Said) {
  if (said.kind === "say") return { role: "assistant", content: said.text, refusal: null };
  return { role: "assistant", content: null, refusal: null, tool_calls: [toolCallOf(said)] };
}

function toolCallOf(said: ToolCalling) {
  return { id: "call_0", type: "function", function: { name: said.name, arguments: said.arguments } };
}

function deltasOf(said: Said): readonly object[] {
  if (said.kind === "call_tool") return [{ tool_calls: [{ index: 0, ...toolCallOf(said) }] }];
  const deltas: object[] = [];
  for (let at = 0; at < said.text.length; at += DELTA_LENGTH) {
    deltas.push({ content: said.text.slice(at, at + DELTA_LENGTH) });
  }
  return deltas;
}

function finishOf(said: Said): string {
  return said.kind === "call_tool" ? "tool_calls" : (said.finishReason ?? "stop");
}

function usageOf(request: ChatRequest, said: Said) {
  const asked = request.messages.reduce((sum, { content }) => sum + content.length, 0);
  const answered = said.kind === "say" ? said.text.length : said.arguments.length;
  const given = said.kind === "say" ? said.usage : undefined;
  const input = given?.inputTokens ?? Math.ceil(asked / 4);
  const output = given?.outputTokens ?? Math.ceil(answered / 4);
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}
