import { useQueries, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { serviceUrl } from "../api/address.ts";
import { projectStatsQuery, projectsQuery } from "../api/projects.ts";
import { Button } from "../components/button.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { Select } from "../components/select.tsx";
import { Tabs } from "../components/tabs.tsx";
import { TextField } from "../components/text-field.tsx";
import { snippetsFor } from "./agents/snippets.ts";
import styles from "./agents.module.css";
import { CreateKeyDialog } from "./api-keys/create-key-dialog.tsx";

/** Newest projects, each with a request. */
const maxLookedAt = 10;

/** How an assistant is connected by the Model Context Protocol. */
export function AgentsPage() {
  const [key, setKey] = useState("");
  const [isCreating, setCreating] = useState(false);
  const url = serviceUrl("mcp");
  return (
    <>
      <PageHeader
        title="Agents"
        description="Assistants ask questions, read passages, walk the graph and add texts through the Model Context Protocol."
      />
      <div className={styles.page}>
        <Section title="1. A key" description="Create one for each agent, so that you can revoke it alone.">
          <div className={styles.key}>
            <TextField
              label="Key"
              hint="It is only written into the texts below, and kept nowhere."
              placeholder="kcs_…"
              value={key}
              onChange={(text) => setKey(text.trim())}
              autoComplete="off"
              spellCheck="false"
            />
            <Button onPress={() => setCreating(true)}>
              <Plus aria-hidden size={16} /> Create a key
            </Button>
          </div>
        </Section>
        <Section title="2. The agent" description="All your projects are at one address.">
          <CodeBlock label="Address" text={url} />
          <Tabs
            label="Agent"
            tabs={snippetsFor(url, key).map(({ id, title, place, text }) => ({
              id,
              title,
              content: <CodeBlock label={place} text={text} />,
            }))}
          />
        </Section>
        <FirstQuestion />
      </div>
      {isCreating && <CreateKeyDialog onCreated={setKey} onClose={() => setCreating(false)} />}
    </>
  );
}

/** An agent finds projects by itself; with the id it asks the right one at once. */
function FirstQuestion() {
  const { data } = useQuery(projectsQuery);
  const [chosen, setChosen] = useState<string | null>(null);
  const projects = data?.projects ?? [];
  // An empty project has nothing to quote.
  const stats = useQueries({
    queries: projects.slice(0, maxLookedAt).map(({ project_id: id }) => projectStatsQuery(id)),
  });
  const filled = projects.find((_, at) => (stats[at]?.data?.chunks ?? 0) > 0);
  const project = projects.find(({ project_id: id }) => id === chosen) ?? filled ?? projects[0];
  if (project === undefined) return null;
  const { name, project_id: id } = project;
  return (
    <Section title="3. A first question" description="Say which project the agent is to use.">
      <Select
        label="Project"
        options={projects.map((each) => ({ value: each.project_id, label: each.name }))}
        value={id}
        onChange={setChosen}
      />
      <CodeBlock
        label="To the agent"
        text={`What is the project “${name}” (${id}) of the knowledge server about? Quote the documents.`}
      />
    </Section>
  );
}
