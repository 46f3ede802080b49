/** Adds the schema of the reply to the system prompt, for models without structured output. */
export function withSchema(system: string, schema: Readonly<Record<string, unknown>>): string {
  const instruction =
    "Reply with one JSON value that fits this JSON Schema, and with nothing else: no explanation, no Markdown.";
  return `${system}\n\n${instruction}\n${JSON.stringify(schema)}`.trimStart();
}
