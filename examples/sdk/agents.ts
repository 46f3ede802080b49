/** Uses a project as a LangChain retriever and as an AI SDK tool: KCS_KEY=kcs_… node agents.ts PROJECT_ID QUESTION */
import { createClient } from "@kcs/sdk";
import { createSearchTool } from "@kcs/sdk/ai";
import { createRetriever } from "@kcs/sdk/langchain";

const [projectId = "", question = ""] = process.argv.slice(2);
const client = createClient({ baseUrl: process.env["KCS_URL"], apiKey: process.env["KCS_KEY"] });

// LangChain: `prompt.pipe(retriever)`, or on its own as here.
const retriever = createRetriever({ client, projectId, topK: 3 });
for (const { pageContent, metadata } of await retriever.invoke(question)) {
  console.log(metadata["source_doc_id"], pageContent);
}

// AI SDK: `import { jsonSchema, tool } from "ai"`, then `tools: { search: tool(createSearchTool({ …, jsonSchema })) }`.
const jsonSchema = (schema: object) => ({ jsonSchema: schema });
const search = createSearchTool({ client, projectId, jsonSchema, description: "The harbour's log." });
console.log(JSON.stringify(await search.execute({ question })));
