/** The SDK's reference as Markdown. */
import type { Declaration, Documented, SdkTypes } from "./read-types.ts";

const head = `# SDK reference

Generated from the types of \`packages/sdk\` by \`npm run docs:sdk\`; do not edit it. [The guide](sdk.md) explains how the parts
work together, and [the HTTP reference](api.md) what the endpoints do. \`kcs\` is a client: \`const kcs = createClient({ apiKey })\`.`;

export function writeReference({ groups, entryPoints }: SdkTypes): string {
  const [main, ...others] = entryPoints;
  const declarations = main?.declarations ?? [];
  const ofKind = (kind: Declaration["kind"]) =>
    declarations.filter((declaration) => declaration.kind === kind);
  const sections = [
    head,
    ...groups.map(({ name, methods }) =>
      section(name === "" ? "Methods of the client itself" : `kcs.${name}`, methods),
    ),
    section("Functions", ofKind("function")),
    section("Errors", ofKind("class")),
    section("Types", ofKind("type")),
    ...others.map(({ name, declarations: own }) => section(name, own)),
  ];
  return `${sections.join("\n\n")}\n`;
}

function section(title: string, entries: readonly Documented[]): string {
  return [`## ${title}`, ...entries.map(entry)].join("\n\n");
}

function entry({ name, code, text }: Documented): string {
  const parts = [`### ${name}`, `\`\`\`ts\n${code}\n\`\`\``, asMarkdown(text)];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Examples in comments are indented by two spaces, which Markdown does not take for code. */
function asMarkdown(text: string): string {
  return text.replace(/(?:^|\n\n)((?: {2}.*(?:\n|$))+)/g, (_match, lines: string) => {
    const code = lines.trimEnd().replace(/^ {2}/gm, "");
    return `\n\n\`\`\`ts\n${code}\n\`\`\``;
  });
}
