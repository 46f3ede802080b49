/** The adapters in the real LangChain and AI SDK; the compiler checks that their types match. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatPromptTemplate, PromptTemplate } from "@langchain/core/prompts";
import { RunnableSequence } from "@langchain/core/runnables";
import { generateText, isStepCount, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createSearchTool } from "../src/ai.ts";
import { createRetriever } from "../src/langchain.ts";
import type { Query, QueryResult } from "../src/wire.ts";

const text = "The lamp of Orrin was lit in 1852.";
const question = "When was the lamp lit?";

/** A client that answers with one passage, and the questions that it received. */
function createRecorder() {
  const questions: string[] = [];
  const chunks = [{ text, similarity: 0.9, chunk_id: "chk_1", source_doc_id: "log" }];
  const results = { summary: text, entities: [], relationships: [], chunks };
  const query = async (
    _: string,
    body: Query,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<QueryResult> => {
    options?.signal?.throwIfAborted();
    questions.push(body.query);
    return { query: body.query, strategy_used: "hybrid", results };
  };
  return { questions, client: { query } };
}

test("LangChain: a prompt of text or of messages is piped into the retriever, and its output into a chain", async () => {
  const { client, questions } = createRecorder();
  const retriever = createRetriever({ client, projectId: "prj_1" });
  const join = (documents: readonly { readonly pageContent: string }[]) =>
    documents.map(({ pageContent }) => pageContent).join("\n");
  const fromText = PromptTemplate.fromTemplate("{question}").pipe(retriever).pipe(join);
  assert.equal(await fromText.invoke({ question }), text);
  const messages = ChatPromptTemplate.fromMessages([
    ["system", "You search the log of a harbour."],
    ["human", "{question}"],
  ]);
  assert.deepEqual(await messages.pipe(retriever).batch([{ question }]), [
    [{ pageContent: text, metadata: { similarity: 0.9, source_doc_id: "log" }, id: "chk_1" }],
  ]);
  assert.equal(await RunnableSequence.from([messages, retriever, join]).invoke({ question }), text);
  await retriever.batch([question, await messages.invoke({ question })]);
  assert.deepEqual(questions, Array(5).fill(question));
  const signal = AbortSignal.abort(new Error("enough"));
  await assert.rejects(messages.pipe(retriever).invoke({ question }, { signal }), /enough|Aborted/);
});

const usage = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined },
};

/** A model that calls the tool with `input`, then says "Done." */
function createModel(input: object) {
  const call = {
    type: "tool-call",
    toolCallId: "1",
    toolName: "search",
    input: JSON.stringify(input),
  } as const;
  return new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: { unified: "tool-calls", raw: undefined }, usage, warnings: [] },
      {
        content: [{ type: "text", text: "Done." }],
        finishReason: { unified: "stop", raw: undefined },
        usage,
        warnings: [],
      },
    ],
  });
}

test("AI SDK: a model reads the tool's schema, calls it and receives the passages", async () => {
  const { client, questions } = createRecorder();
  const search = tool(createSearchTool({ client, projectId: "prj_1", description: "The harbour's log" }));
  const model = createModel({ question });
  const stopWhen = isStepCount(2);
  const { steps, text: said } = await generateText({ model, tools: { search }, prompt: "Ask.", stopWhen });
  assert.equal(said, "Done.");
  assert.deepEqual(questions, [question]);
  const [result] = steps.flatMap(({ toolResults }) => toolResults);
  assert.ok(result?.dynamic !== true);
  assert.deepEqual(result?.output.passages, [{ text, document: "log" }]);
  const [described] = model.doGenerateCalls[0]?.tools ?? [];
  assert.ok(described?.type === "function");
  assert.equal(described.description, "The harbour's log");
  assert.deepEqual(described.inputSchema.required, ["question"]);
  assert.equal(described.inputSchema.additionalProperties, false);
});

test("AI SDK: a call without a question is refused before the service is asked", async () => {
  const { client, questions } = createRecorder();
  const search = tool(createSearchTool({ client, projectId: "prj_1" }));
  const model = createModel({ query: question });
  const { steps } = await generateText({
    model,
    tools: { search },
    prompt: "Ask.",
    stopWhen: isStepCount(2),
  });
  assert.deepEqual(questions, []);
  assert.match(JSON.stringify(steps[0]?.content), /tool-error|invalid/i);
});
