/** Builds the OpenAPI 3.1 document from the endpoint table, the schemas and the details of each endpoint. */
import { z } from "zod";
import { API_PREFIX, type Endpoint, endpoints } from "../endpoints.ts";
import * as responses from "../responses.ts";
import { operationDetails } from "./all-details.ts";
import {
  type ErrorAnswer,
  errorsOf,
  type OperationDetails,
  PATH_PARAMETERS,
  QUERY_PARAMETERS,
  TAGS,
} from "./operation-details.ts";
import { componentsOf, componentUri, type JsonSchema, propertiesOf } from "./schemas.ts";

export const API_VERSION = "0.1.0";
export const DEFAULT_SERVER = "http://127.0.0.1:8080";

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example: unknown }>>;
  };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
  /** True for an operation that is not part of the published contract. */
  readonly "x-additive"?: true;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: OperationDetails["answerHeaders"];
  readonly content?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example?: unknown; readonly examples?: unknown }>
  >;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

const DESCRIPTION =
  "Indexes the text of documents and answers questions about them. Every request carries " +
  '`Authorization: Bearer <API key>`. Errors are `{"detail": "…"}`. Times are ISO 8601 in UTC. Operations marked ' +
  "`x-additive` are not part of the published contract.";

/** Deterministic: the same sources give the same document. `serverUrl` is the address of the service. */
export function createOpenApiDocument({ serverUrl = DEFAULT_SERVER } = {}): OpenApiDocument {
  return {
    openapi: "3.1.1",
    info: { title: "Knowledge Context Service", version: API_VERSION, description: DESCRIPTION },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(),
    components: {
      schemas: { ...componentsOf(responseSchemas(), "output"), ...componentsOf(bodySchemas(), "input") },
      ...SECURITY,
    },
    security: [{ apiKey: [] }],
  };
}

const SECURITY = {
  securitySchemes: {
    apiKey: { type: "http", scheme: "bearer", description: "An API key. It begins with `kcs_`." },
  },
} as const;

function pathsOf(): OpenApiDocument["paths"] {
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const path = API_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(name, endpoint) };
  }
  return paths;
}

function operationOf(name: string, endpoint: Endpoint): OpenApiOperation {
  const details = operationDetails[name] ?? { tag: "Projects", description: "" };
  const parameters = parametersOf(endpoint.path, details);
  const { body } = details;
  return {
    operationId: name,
    summary: endpoint.summary,
    description: details.description,
    tags: [details.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: body.isOptional !== true,
        content: { "application/json": { schema: { $ref: componentUri(body.name) }, example: body.example } },
      },
    }),
    responses: {
      [endpoint.success]: successOf(endpoint, details),
      ...errorResponses(errorsOf(endpoint.path, details)),
    },
    ...(!endpoint.documented && { "x-additive": true as const }),
  };
}

function parametersOf(path: string, details: OperationDetails): readonly OpenApiParameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  return [
    ...names.map((name) => ({
      name,
      in: "path" as const,
      required: true,
      description: PATH_PARAMETERS[name] ?? name,
      schema: { type: "string" },
    })),
    ...Object.entries(details.query === undefined ? {} : propertiesOf(details.query)).map(
      ([name, schema]) => ({
        name,
        in: "query" as const,
        required: false,
        description: QUERY_PARAMETERS[name] ?? name,
        schema,
      }),
    ),
    ...(details.headers ?? []).map((header) => ({ ...header, required: false })),
  ];
}

function successOf(endpoint: Endpoint, details: OperationDetails): OpenApiResponse {
  if (endpoint.mediaTypes !== undefined) {
    const { eventData } = endpoint;
    const content = endpoint.mediaTypes.map((type) => [
      type,
      {
        schema: { type: "string" },
        // OpenAPI 3.1 has no keyword for the data of the events in a stream.
        ...(eventData !== undefined && {
          "x-event-data": { $ref: componentUri(componentNameOf(eventData)) },
        }),
      },
    ]);
    return { description: endpoint.summary, content: Object.fromEntries(content) };
  }
  if (endpoint.response === null) return { description: "Success without a body" };
  return {
    description: endpoint.summary,
    ...(details.answerHeaders !== undefined && { headers: details.answerHeaders }),
    content: {
      "application/json": {
        schema: { $ref: componentUri(componentNameOf(endpoint.response)) },
        ...(details.example !== undefined && { example: details.example }),
      },
    },
  };
}

function errorResponses(errors: readonly ErrorAnswer[]): Readonly<Record<string, OpenApiResponse>> {
  const byStatus = Map.groupBy(errors, (error) => error.status);
  const statuses = [...byStatus.keys()].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const answers = byStatus.get(status) ?? [];
      const examples = answers.map(({ detail, when }, at) => [
        `${status}_${at + 1}`,
        { summary: when, value: { detail } },
      ]);
      return [
        String(status),
        {
          description: answers.map(({ when }) => when).join(" "),
          content: {
            "application/json": {
              schema: { $ref: componentUri(componentNameOf(responses.fault)) },
              examples: Object.fromEntries(examples),
            },
          },
        },
      ];
    }),
  );
}

/** By component name, which is the name of the export in responses.ts with a capital first letter. */
function responseSchemas(): ReadonlyMap<string, z.ZodType> {
  return new Map(
    Object.entries<unknown>(responses).flatMap(([name, schema]) =>
      schema instanceof z.ZodType ? [[name.charAt(0).toUpperCase() + name.slice(1), schema]] : [],
    ),
  );
}

function bodySchemas(): ReadonlyMap<string, z.ZodType> {
  const bodies = Object.values(operationDetails).flatMap(({ body }) => (body === undefined ? [] : [body]));
  return new Map(bodies.map(({ name, schema }) => [name, schema]));
}

function componentNameOf(schema: z.ZodType): string {
  for (const [name, candidate] of responseSchemas()) if (candidate === schema) return name;
  throw new Error("A response schema is not exported by responses.ts: export it there.");
}
