import type { z } from "zod";

export interface Endpoint {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/api/v1`, with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly success: 200 | 201 | 202 | 204;
  /** null when the success has no body, or a body other than JSON, whose types `mediaTypes` lists. */
  readonly response: z.ZodType | null;
  readonly mediaTypes?: readonly string[];
  /** Schema of the `data` of each event in a `text/event-stream`. */
  readonly eventData?: z.ZodType;
  /** The same of an endpoint that answers with JSON unless the client prefers a `text/event-stream`. */
  readonly answerEvents?: z.ZodType;
  /** Further media types in which an endpoint answers that answers with JSON by default. */
  readonly otherTypes?: readonly string[];
  /** False for endpoints that this service adds to the published contract. */
  readonly documented: boolean;
}
