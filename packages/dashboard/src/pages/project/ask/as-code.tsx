import type { Query } from "@kcs/sdk";
import { serviceUrl } from "../../../api/address.ts";
import { CodeBlock } from "../../../components/code-block.tsx";
import { Section } from "../../../components/section.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { curlOf, sdkOf } from "./request-code.ts";

/** Code that sends the same question from a program. */
export function AsCode({ projectId, body }: { readonly projectId: string; readonly body: Query }) {
  const request = { baseUrl: serviceUrl("").replace(/\/$/, ""), projectId, body };
  return (
    <Section title="As code" description="The same question as a request with an API key.">
      <Tabs
        label="Language"
        tabs={[
          { id: "curl", title: "curl", content: <CodeBlock label="Shell" text={curlOf(request)} /> },
          { id: "sdk", title: "SDK", content: <CodeBlock label="TypeScript" text={sdkOf(request)} /> },
        ]}
      />
    </Section>
  );
}
