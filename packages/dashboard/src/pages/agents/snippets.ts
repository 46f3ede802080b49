/** How the usual agents are told of the service. Without a key each reads it from where it keeps secrets, if it can. */

export interface Snippet {
  readonly id: string;
  readonly title: string;
  /** Where the text goes. */
  readonly place: string;
  readonly text: string;
}

const name = "knowledge";

/** `url` is the address of the service's MCP endpoint; `key` "" leaves it out. */
export function snippetsFor(url: string, key: string): readonly Snippet[] {
  return [
    {
      id: "claude-code",
      title: "Claude Code",
      place: "In a terminal",
      text: `claude mcp add --transport http ${name} ${url} --header "Authorization: Bearer ${key || "$KCS_KEY"}"`,
    },
    {
      id: "claude-desktop",
      title: "Claude Desktop",
      place: "claude_desktop_config.json, under Settings, Developer, Edit Config; it needs Node",
      text: json({
        mcpServers: {
          [name]: {
            command: "npx",
            args: ["-y", "mcp-remote", url, "--header", `Authorization:\${AUTH}`],
            env: { AUTH: `Bearer ${key || "kcs_…"}` },
          },
        },
      }),
    },
    {
      id: "cursor",
      title: "Cursor",
      place: ".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
      text: json({
        mcpServers: {
          [name]: { url, headers: { Authorization: `Bearer ${key || `\${env:KCS_KEY}`}` } },
        },
      }),
    },
    {
      id: "vs-code",
      title: "VS Code",
      place: ".vscode/mcp.json",
      text: json({
        ...(key === "" && {
          inputs: [{ id: "kcs-key", type: "promptString", description: "API key", password: true }],
        }),
        servers: {
          [name]: {
            type: "http",
            url,
            headers: { Authorization: `Bearer ${key || `\${input:kcs-key}`}` },
          },
        },
      }),
    },
    {
      id: "codex",
      title: "Codex",
      place: "~/.codex/config.toml; the key is read from the environment",
      text: `[mcp_servers.${name}]\nurl = "${url}"\nbearer_token_env_var = "KCS_KEY"`,
    },
  ];
}

function json(value: object): string {
  return JSON.stringify(value, null, 2);
}
