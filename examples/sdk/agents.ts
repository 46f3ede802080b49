/** Uses a project as a LangChain retriever and as an AI SDK tool: KCS_KEY=kcs_… node agents.ts PROJECT_ID QUESTION */

import { createClient } from "@kcs/sdk";
import { createSearchTool } from "@kcs/sdk/ai";
import { createRetriever } from "@kcs/sdk/langchain";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { tool } from "ai";

const [projectId = "", question = ""] = process.argv.slice(2);
const kcs = createClient({ baseUrl: process.env["KCS_URL"], apiKey: process.env["KCS_KEY"] });

const retriever = createRetriever({ client: kcs, projectId, topK: 5 });
const prompt = ChatPromptTemplate.fromMessages([["human", "{question}"]]);
const passages = await prompt.pipe(retriever).invoke({ question });
for (const { pageContent, metadata } of passages) console.log(metadata["source_doc_id"], pageContent);

const search = tool(createSearchTool({ client: kcs, projectId, description: "The harbour's log" }));
// `generateText({ model, tools: { search }, … })` makes such a call when the model asks for it.
const call = { toolCallId: "call-1", messages: [], context: {} };
console.log(JSON.stringify(await search.execute({ question }, call)));
