/** What a language model has to know to use the API, as https://llmstxt.org describes such a file. */
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
        return `- ${method} ${path}: ${summary}${example === undefined ? "" : `. Body: ${JSON.stringify(example)}`}`;
      });
    return lines.length === 0 ? [] : [`## ${name}\n\n${description}\n\n${lines.join("\n")}`];
  });
  return `# ${document.info.title}

> ${document.info.description}

Work in this order: create a project, ingest documents, wait until their jobs are \`completed\`, then query. Every answer that
is no success has a \`detail\` that says what to do. After 429 and 503 wait as long as \`Retry-After\` says.

- [OpenAPI 3.1](openapi.json): every body, answer and error
- [Reference](docs): the same for people
- [Model Context Protocol](mcp), streamable HTTP with the same keys: tools for agents

${sections.join("\n\n")}
`;
}
