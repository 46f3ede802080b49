/** The endpoints that take a body, and the places in it where a hostile value is put. */
import { FORM_SHAPES, type Shape } from "./shapes.ts";

export interface HostileEndpoint {
  /** Default: POST */
  readonly method?: "PATCH";
  readonly path: string;
  readonly limitBytes: number;
  /** Bodies with `@` where the value goes. */
  readonly bodies: readonly string[];
  /** Default: JSON */
  readonly contentType?: string;
  /** In addition to those of JSON. */
  readonly shapes?: Readonly<Record<string, Shape>>;
}

const KIB = 1024;
const MIB = 1024 * KIB;

const call = (name: string, given: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;

const schemaBodies = (before: string) => [
  "@",
  `${before}"schema":@}`,
  `${before}"schema":{"ontology":@}}`,
  `${before}"schema":{"ontology":{"hierarchy":@}}}`,
  `${before}"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":@}],"edge_types":[]}}}`,
  `${before}"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":{"A":{"properties":@}}}]}}}`,
  `${before}"schema":{"ontology":{"hierarchy":[{"level":1,"node_types":{"A":{"aggregates":@}}}]}}}`,
  `${before}"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":{"A":{"description":@}}}]}}}`,
  `${before}"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":{"A":{}}}],"edge_types":@}}}`,
  `${before}"schema":{"ontology":{"hierarchy":[{"level":0,"node_types":{"A":{}}}],"edge_types":[{"name":"E","source_types":["A"],"target_types":@}]}}}`,
];

const DISPOSITION = "Content-Disposition: form-data;";
const form = (...parts: readonly string[]) =>
  `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`;
const file = (name: string, content: string) =>
  `${DISPOSITION} name="files"; filename="${name}"\r\n\r\n${content}`;

/** `ingestLimit` is the size of the largest ingest bodies; their endpoints allow more than 60 MiB. */
export function hostileEndpoints(
  projectId: string,
  { ingestLimit }: { readonly ingestLimit: number },
): readonly HostileEndpoint[] {
  const project = `/api/v1/projects/${projectId}`;
  return [
    {
      path: "/api/v1/projects",
      limitBytes: MIB,
      bodies: ["@", '{"name":@}', '{"name":"a","vector_only":@}', '{"name":"a","ontology_id":@}'],
    },
    {
      path: `${project}/query`,
      limitBytes: MIB,
      bodies: [
        "@",
        '{"query":@}',
        '{"query":"a","filter":@}',
        '{"query":"a","filter":{"source_doc_id":@}}',
        '{"query":"a","filter":{"metadata":@}}',
        '{"query":"a","filter":{"metadata":{"a":@}}}',
        '{"query":"a","include":@}',
        '{"query":"a","top_k":@}',
        '{"query":"a","mode":@}',
      ],
    },
    ...documentEndpoints(project, ingestLimit),
    {
      path: `${project}/feedback`,
      limitBytes: MIB,
      bodies: [
        "@",
        '{"rating":@}',
        '{"rating":"up","query":@,"answer":"a"}',
        '{"rating":"up","query":"a","answer":@}',
        '{"rating":"up","query":"a","answer":"a","source_doc_ids":@}',
        '{"rating":"up","query":"a","answer":"a","comment":@}',
      ],
    },
    ...graphEndpoints(project),
    {
      method: "PATCH",
      path: project,
      limitBytes: MIB,
      bodies: ["@", '{"name":@}', '{"ontology_id":@}', '{"ontology_version":@}'],
    },
    { path: `${project}/rename`, limitBytes: MIB, bodies: ["@", '{"name":@}'] },
    { path: `${project}/queue/retry`, limitBytes: MIB, bodies: ["@", '{"error_message":@}'] },
    { path: `${project}/queue/cancel`, limitBytes: MIB, bodies: ["@"] },
    { path: `${project}/reembed`, limitBytes: MIB, bodies: ["@", '{"embedding":@}'] },
    { path: `${project}/reembed/cancel`, limitBytes: MIB, bodies: ["@"] },
    { path: `${project}/reread`, limitBytes: MIB, bodies: ["@"] },
    {
      path: `${project}/reread/documents`,
      limitBytes: MIB,
      bodies: ["@", '{"source_doc_ids":@}', '{"source_doc_ids":[@]}'],
    },
    { path: `${project}/reread/cancel`, limitBytes: MIB, bodies: ["@"] },
    { path: `${project}/jobs/job_none/cancel`, limitBytes: MIB, bodies: ["@"] },
    { path: `${project}/jobs/job_none/retry`, limitBytes: MIB, bodies: ["@"] },
    { path: "/api/v1/ontologies/suggest", limitBytes: MIB, bodies: ["@", '{"usecase":@}'] },
    { path: "/api/v1/ontologies/lint", limitBytes: 4 * MIB, bodies: schemaBodies("{") },
    { path: "/api/v1/ontologies", limitBytes: 4 * MIB, bodies: schemaBodies('{"name":"a",') },
    ...["turtle", "rdfxml", "json-schema", "neo4j", "linkml"].map((format) => ({
      path: `/api/v1/ontologies/import?format=${format}`,
      limitBytes: 4 * MIB,
      bodies: ["@", '{"name":"a","content":@}', '{"name":@,"content":""}'],
    })),
    {
      path: "/api/v1/webhooks",
      limitBytes: MIB,
      bodies: ["@", '{"url":@}', '{"url":"https://example.org","events":@}'],
    },
    {
      method: "PATCH",
      path: "/api/v1/webhooks/whk_none",
      limitBytes: MIB,
      bodies: ["@", '{"url":@}', '{"events":@}', '{"description":@}', '{"status":@}'],
    },
    { path: "/api/v1/webhooks/whk_none/test", limitBytes: MIB, bodies: ["@"] },
    {
      path: "/mcp",
      limitBytes: 2 * MIB,
      bodies: [
        "@",
        '{"jsonrpc":"2.0","id":@,"method":"ping"}',
        '{"jsonrpc":"2.0","id":1,"method":@}',
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":@}',
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":@}}',
        call("query", "@"),
        call("query", `{"project_id":"${projectId}","query":@}`),
        call("query", `{"project_id":"${projectId}","query":"a","filter":@}`),
        call("ingest_text", `{"project_id":"${projectId}","source_doc_id":"a","text":@}`),
        call("ingest_text", `{"project_id":"${projectId}","source_doc_id":"a","text":"a","metadata":@}`),
      ],
    },
    ...["sign-in/email", "sign-up/email", "sign-out", "change-password", "api-key/create", "set-up"].map(
      (name) => ({
        path: `/api/auth/${name}`,
        limitBytes: 64 * KIB,
        bodies: ["@", '{"email":@,"password":"a"}', '{"email":"a@example.org","password":@}', '{"token":@}'],
      }),
    ),
  ];
}

function graphEndpoints(project: string): readonly HostileEndpoint[] {
  return [
    {
      path: `${project}/graph/match`,
      limitBytes: MIB,
      bodies: [
        "@",
        '{"nodes":@}',
        '{"nodes":[{"name":@}]}',
        '{"nodes":[{"properties":@}]}',
        '{"nodes":[{},{}],"edges":@}',
        '{"nodes":[{},{}],"edges":[{"type":@}]}',
      ],
    },
    {
      path: `${project}/corrections`,
      limitBytes: MIB,
      bodies: [
        "@",
        '{"corrections":@}',
        '{"corrections":[{"kind":"rename","entity":@,"name":"a"}]}',
        '{"corrections":[{"kind":"rename","entity":{"type":"A","name":"a"},"name":@}]}',
        '{"corrections":[{"kind":"split","entity":{"type":"A","name":"a"},"into":{"type":"A","name":"b"},"documents":@}]}',
      ],
    },
    { path: `${project}/corrections/ontology`, limitBytes: MIB, bodies: ["@", '{"name":@}'] },
  ];
}

function documentEndpoints(project: string, ingestLimit: number): readonly HostileEndpoint[] {
  return [
    {
      path: `${project}/ingest`,
      limitBytes: ingestLimit,
      bodies: [
        "@",
        '{"text":@,"source_doc_id":"a"}',
        '{"text":"a","source_doc_id":@}',
        '{"text":"a","source_doc_id":"a","metadata":@}',
        '{"text":"a","source_doc_id":"a","metadata":{"a":@}}',
      ],
    },
    {
      path: `${project}/ingest/batch`,
      limitBytes: ingestLimit,
      bodies: [
        "@",
        '{"documents":@}',
        '{"documents":[@]}',
        '{"documents":[{"text":"a","source_doc_id":"a","metadata":@}]}',
      ],
    },
    {
      path: `${project}/files`,
      limitBytes: ingestLimit,
      contentType: "multipart/form-data; boundary=b",
      shapes: FORM_SHAPES,
      bodies: [
        "@",
        form(file("a.txt", "@")),
        form(file("@", "a")),
        form(`${DISPOSITION} name="metadata"\r\n\r\n@`, file("a.txt", "a")),
        form(`${DISPOSITION} name="source_doc_id"\r\n\r\n@`, file("a.txt", "a")),
        form(`${DISPOSITION} name="@"\r\n\r\na`, file("a.txt", "a")),
        form(`${file("a.txt", "").trimEnd()}\r\nX-Odd: @\r\n\r\na`),
      ],
    },
    {
      path: `${project}/urls`,
      limitBytes: MIB,
      bodies: [
        "@",
        '{"url":@}',
        '{"url":"http://a","source_doc_id":@}',
        '{"url":"http://a","metadata":@}',
        '{"url":"http://a","metadata":{"a":@}}',
      ],
    },
  ];
}
