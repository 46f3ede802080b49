/**
 * The API reference as one HTML page. Its content security policy forbids everything but its own style, its own script and the
 * dashboard's font.
 */
import { createHash } from "node:crypto";
import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from "@kcs/contract/openapi";
import { escapeHtml, prose } from "./html.ts";
import { referenceScript } from "./page-script.ts";
import { referenceStyle } from "./page-style.ts";
import { membersOf, memberTable } from "./schema-members.ts";

interface Operation extends OpenApiOperation {
  readonly method: string;
  readonly path: string;
}

export const referencePolicy = [
  "default-src 'none'",
  `style-src '${hashOf(referenceStyle)}'`,
  `script-src '${hashOf(referenceScript)}'`,
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

export function referencePage(document: OpenApiDocument): string {
  const groups = groupsOf(document);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}: API reference</title>
<link rel="preload" href="assets/inter-latin-wght-normal.woff2" as="font" type="font/woff2" crossorigin>
<style>${referenceStyle}</style>
</head>
<body>
<div class="page">
<header class="side">
<a class="brand" href="projects">${brandIcon} Knowledge Context</a>
<a class="back" href="projects">← Back to the dashboard</a>
<nav aria-label="Endpoints">${groups.map(navigationOf).join("")}</nav>
</header>
<script>${referenceScript}</script>
<main>
<h1>API reference</h1>
<p>${prose(document.info.description)}</p>
<p>Version ${escapeHtml(document.info.version)}. Also available as <a href="openapi.json">OpenAPI 3.1 document</a> for programs
and as <a href="llms.txt">short text</a> for language models.</p>
${groups.map((group) => sectionOf(group, document)).join("")}
</main>
</div>
</body>
</html>
`;
}

/** The dashboard's, as a part of the page: its policy allows no picture. */
const brandIcon =
  '<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><rect x="16" y="16" width="6" height="6" rx="1"/><rect x="2" y="16" width="6" height="6" rx="1"/><rect x="9" y="2" width="6" height="6" rx="1"/><path d="M5 16v-3a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v3M12 12V8"/></svg>';

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** In the order of the document's tags. Tags without operations are left out. */
function groupsOf(document: OpenApiDocument): readonly Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
  return document.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter(({ tags }) => tags.includes(name)),
    }))
    .filter((group) => group.operations.length > 0);
}

function navigationOf({ name, operations }: Group): string {
  const items = operations.map(
    ({ operationId, summary, method, path }) =>
      `<li data-path="${method} ${escapeHtml(path)}"><a href="#${operationId}">${escapeHtml(summary)}</a></li>`,
  );
  return `<strong><a href="#${name}">${name}</a></strong><ul>${items.join("")}</ul>`;
}

function sectionOf({ name, description, operations }: Group, document: OpenApiDocument): string {
  const articles = operations.map((operation) => articleOf(operation, document));
  return `<section><h2 id="${name}">${name}</h2><p>${prose(description)}</p>${articles.join("")}</section>`;
}

function articleOf(operation: Operation, document: OpenApiDocument): string {
  const { operationId, method, path, summary, description } = operation;
  const additive = operation["x-additive"] === true ? '<span class="additive">additive</span>' : "";
  return `<article id="${operationId}">
<h3><span class="method ${method.toLowerCase()}">${method}</span><code class="path">${escapeHtml(path)}</code>${additive}</h3>
<p><strong>${escapeHtml(summary)}.</strong> ${prose(description)}</p>
${parameterTable(operation.parameters ?? [])}
${bodyOf(operation, document)}
<h4>Example</h4>
${codeBlock(curlOf(operation, document.servers[0]?.url ?? ""))}
${responsesOf(operation, document)}
</article>`;
}

function parameterTable(parameters: readonly OpenApiParameter[]): string {
  if (parameters.length === 0) return "";
  const rows = parameters.map(({ name, in: place, description, schema }) => {
    const { minimum, maximum } = schema;
    const range = minimum !== undefined && maximum !== undefined ? ` ${minimum} to ${maximum}.` : "";
    const values = Array.isArray(schema["enum"]) ? ` ${schema["enum"].join(", ")}.` : "";
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}</td><td>${prose(description.replace(/\.$/, ""))}.${escapeHtml(range + values)}</td></tr>`;
  });
  return `<h4>Parameters</h4><div class="scroll" tabindex="0"><table><tbody>${rows.join("")}</tbody></table></div>`;
}

function bodyOf(operation: Operation, { components }: OpenApiDocument): string {
  const [[mediaType = "", content] = []] = Object.entries(operation.requestBody?.content ?? {});
  if (content === undefined) return "";
  const form = mediaType === "application/json" ? "" : ` (${escapeHtml(mediaType)})`;
  return `<h4>Body${form}</h4>${memberTable(membersOf(content.schema, components.schemas))}`;
}

function responsesOf(operation: Operation, { components }: OpenApiDocument): string {
  const responses = Object.entries(operation.responses);
  const [success] = responses.filter(([status]) => status.startsWith("2"));
  const errors = responses.filter(([status]) => !status.startsWith("2"));
  const [status = "", response] = success ?? [];
  const content = response?.content?.["application/json"];
  const media = Object.keys(response?.content ?? {}).join(", ");
  const successBody =
    content === undefined
      ? `<p>${escapeHtml(media === "" ? "No body." : media)}</p>`
      : `${content.example === undefined ? "" : codeBlock(JSON.stringify(content.example, null, 2))}
<details><summary>Members</summary>${memberTable(membersOf(content.schema, components.schemas))}</details>`;
  const rows = errors.flatMap(([code, { content: body }]) =>
    examplesOf(body?.["application/json"]?.examples).map(
      ({ summary, value }) =>
        `<tr><td>${code}</td><td><code>${escapeHtml(value.detail)}</code></td><td>${prose(summary)}</td></tr>`,
    ),
  );
  return `<h4>Response ${status}</h4>${successBody}
<details><summary>Errors</summary><div class="scroll" tabindex="0"><table><tbody>${rows.join("")}</tbody></table></div></details>`;
}

interface ErrorExample {
  readonly summary: string;
  readonly value: { readonly detail: string };
}

/** All error responses of the document have examples of this form. */
function examplesOf(examples: unknown): readonly ErrorExample[] {
  return Object.values((examples ?? {}) as Readonly<Record<string, ErrorExample>>);
}

function curlOf({ method, path, requestBody }: Operation, server: string): string {
  const address = server + path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}"${address}"`,
    `-H "Authorization: Bearer $KCS_KEY"`,
  ];
  const example = requestBody?.content["application/json"]?.example;
  if (example !== undefined) {
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`,
    );
  }
  if (requestBody?.content["multipart/form-data"] !== undefined) lines.push(`-F "files=@$FILE"`);
  return lines.join(" \\\n  ");
}

/** Focusable, so that it can be scrolled with the keyboard. */
function codeBlock(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}
