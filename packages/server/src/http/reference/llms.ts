/** A short description of the API for language models, in the format of https://llmstxt.org */
import type { OpenApiDocument } from "@kcs/contract/openapi";

export function llmsText(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      ...operation,
    })),
  );
  const sections = document.tags.flatMap(({ name, description }) => {
    const lines = operations
      .filter(({ tags }) => tags.includes(name))
      .map(({ method, path, summary, requestBody }) => {
        const example = requestBody?.content["application/json"]?.example;
        const isForm = requestBody?.content["multipart/form-data"] !== undefined;
        const form = isForm ? ". Body: multipart/form-data with the files" : "";
        return `- ${method} ${path}: ${summary}${form}${example === undefined ? "" : `. Body: ${JSON.stringify(example)}`}`;
      });
    return lines.length === 0 ? [] : [`## ${name}\n\n${description}\n\n${lines.join("\n")}`];
  });
  return `# ${document.info.title}

> ${document.info.description}

Use the API in this order: create a project, ingest documents, wait until their jobs are \`completed\`, then query. Every
error response has a \`detail\` that says what went wrong. After a 429 or 503, wait for the seconds in \`Retry-After\`.

- [OpenAPI 3.1](openapi.json): all request bodies, responses and errors
- [Reference](docs): the same as an HTML page
- [Model Context Protocol](mcp): tools for agents, over streamable HTTP with the same API keys

${sections.join("\n\n")}
`;
}
