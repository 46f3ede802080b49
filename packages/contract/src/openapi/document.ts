/** Builds the OpenAPI 3.1 document from the endpoint table, the schemas and the details of each endpoint. */
import { z } from "zod";
import { givenEntity, givenEntityName } from "../correction-bodies.ts";
import { API_PREFIX, type Endpoint, endpoints } from "../endpoints.ts";
import * as responses from "../responses.ts";
import { operationDetails } from "./all-details.ts";
import { webhookOperation } from "./details/webhooks.ts";
import {
  ANSWER_HEADERS,
  type AnswerHeader,
  type ErrorAnswer,
  errorsOf,
  IDEMPOTENCY_KEY,
  IF_NONE_MATCH,
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
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example?: unknown; readonly examples?: unknown }>
  >;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly name: string };
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: object }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly headers: typeof ANSWER_HEADERS;
  };
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
    info: {
      title: "Knowledge Context Service",
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: "The operator of this service" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(),
    webhooks: { event: { post: webhookOperation(componentUri("WebhookMessage")) } },
    components: {
      schemas: { ...componentsOf(responseSchemas(), "output"), ...componentsOf(bodySchemas(), "input") },
      headers: ANSWER_HEADERS,
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
  const parameters = parametersOf(endpoint, details);
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
        content: {
          [body.mediaType ?? "application/json"]: {
            schema: { $ref: componentUri(body.name) },
            example: body.example,
          },
        },
      },
    }),
    responses: {
      [endpoint.success]: successOf(endpoint, details),
      ...(details.noContent !== undefined && { 204: { description: details.noContent } }),
      ...(isConditional(endpoint) && { 304: NOT_MODIFIED }),
      ...errorResponses(errorsOf(endpoint.path, details)),
    },
    ...(!endpoint.documented && { "x-additive": true as const }),
  };
}

/** The service sends an `ETag` with every JSON response to a GET request. */
function isConditional({ method, response }: Endpoint): boolean {
  return method === "GET" && response !== null;
}

const NOT_MODIFIED: OpenApiResponse = {
  description: "The response is still the one that `If-None-Match` names.",
  headers: headersOf(["ETag"]),
};

function headersOf(names: readonly AnswerHeader[]): NonNullable<OpenApiResponse["headers"]> {
  const sorted = [...new Set(names)].sort();
  return Object.fromEntries(sorted.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function parametersOf(endpoint: Endpoint, details: OperationDetails): readonly OpenApiParameter[] {
  const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
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
        required: details.query?.shape[name]?.safeParse(undefined).success === false,
        description: QUERY_PARAMETERS[name] ?? name,
        schema,
      }),
    ),
    ...[...(details.headers ?? []), ...(isConditional(endpoint) ? [IF_NONE_MATCH] : [])].map((header) => ({
      ...header,
      required: false,
    })),
  ];
}

function successOf(endpoint: Endpoint, details: OperationDetails): OpenApiResponse {
  const content = contentOf(endpoint, details);
  const headers = [
    ...(details.answerHeaders ?? []),
    ...(isConditional(endpoint) ? (["ETag"] as const) : []),
    ...((details.headers ?? []).includes(IDEMPOTENCY_KEY) ? (["Idempotency-Replayed"] as const) : []),
  ];
  return {
    description: content === null ? "Success without a body" : endpoint.summary,
    ...(headers.length > 0 && { headers: headersOf(headers) }),
    ...(content !== null && { content }),
  };
}

function contentOf(
  endpoint: Endpoint,
  { example }: OperationDetails,
): NonNullable<OpenApiResponse["content"]> | null {
  const { mediaTypes, eventData, answerEvents, otherTypes = [], response } = endpoint;
  if (mediaTypes !== undefined) {
    const schemaOf = (type: string) => {
      if (eventData !== undefined) return eventSchema(componentUri(componentNameOf(eventData)));
      // A text to some clients, what the text says to others.
      if (type.endsWith("yaml")) return {};
      return { type: type.endsWith("json") ? "object" : "string" };
    };
    return Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaOf(type) }]));
  }
  if (response === null) return null;
  const schema = { $ref: componentUri(componentNameOf(response)) };
  return {
    "application/json": { schema, ...(example !== undefined && { example }) },
    ...Object.fromEntries(otherTypes.map((type) => [type, { schema: { type: "string" } }])),
    ...(answerEvents !== undefined && {
      "text/event-stream": { schema: eventSchema(componentUri(componentNameOf(answerEvents))) },
    }),
  };
}

/** One event of a stream. OpenAPI 3.1 has no keyword for the items of a stream; tools read the schema as that of an item. */
function eventSchema(dataUri: string): JsonSchema {
  const data = { type: "string", contentMediaType: "application/json", contentSchema: { $ref: dataUri } };
  const properties = { id: { type: "string" }, event: { type: "string" }, data };
  return { type: "object", properties, required: ["event", "data"] };
}

const ERROR_HEADERS: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After"],
  503: ["Retry-After"],
};

function errorResponses(errors: readonly ErrorAnswer[]): Readonly<Record<string, OpenApiResponse>> {
  const byStatus = [...Map.groupBy(errors, (error) => error.status)].sort(([a], [b]) => a - b);
  return Object.fromEntries(byStatus.map(([status, answers]) => [status, errorResponse(status, answers)]));
}

function errorResponse(status: number, answers: readonly ErrorAnswer[]): OpenApiResponse {
  const headers = [...(ERROR_HEADERS[status] ?? []), ...answers.flatMap((answer) => answer.headers ?? [])];
  const examples = answers.map(({ detail, when }, at) => [
    `${status}_${at + 1}`,
    { summary: when, value: { detail } },
  ]);
  return {
    description: answers.map(({ when }) => when).join(" "),
    ...(headers.length > 0 && { headers: headersOf(headers) }),
    content: {
      "application/json": {
        schema: { $ref: componentUri(componentNameOf(responses.fault)) },
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** By component name, which is the name of the export in responses.ts with a capital first letter. */
function responseSchemas(): ReadonlyMap<string, z.ZodType> {
  return new Map(
    Object.entries<unknown>(responses).flatMap(([name, schema]) =>
      schema instanceof z.ZodType ? [[componentName(name), schema]] : [],
    ),
  );
}

const componentName = (exported: string) => exported.charAt(0).toUpperCase() + exported.slice(1);

/** With the schemas of ontologies, which are the same in requests and responses, and those of names in corrections. */
function bodySchemas(): ReadonlyMap<string, z.ZodType> {
  const { nodeType, hierarchyLevel, edgeType, ontologySchema } = responses;
  const shared = { nodeType, hierarchyLevel, edgeType, ontologySchema, givenEntity, givenEntityName };
  const bodies = Object.values(operationDetails).flatMap(({ body }) => (body === undefined ? [] : [body]));
  return new Map([
    ...Object.entries(shared).map(([name, schema]) => [componentName(name), schema] as const),
    ...bodies.map(({ name, schema }) => [name, schema] as const),
  ]);
}

function componentNameOf(schema: z.ZodType): string {
  for (const [name, candidate] of responseSchemas()) if (candidate === schema) return name;
  throw new Error("A response schema is not exported by responses.ts: export it there.");
}
