import { describeFaults, isTooLarge } from "@kcs/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { z } from "zod";
import { errors } from "../domain/errors.ts";

/** A JSON body as it came: the value, and the text that it was parsed from. */
export interface JsonBody {
  readonly value: unknown;
  readonly text: string;
}

const NO_BODY: JsonBody = { value: undefined, text: "" };

/** Parses `application/json` and nothing else; an empty body is an absent one. */
export function registerJsonBodies(app: FastifyInstance): void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (_request, bytes, done) => {
    try {
      done(null, bytes.length === 0 ? NO_BODY : parse(decoder.decode(bytes)));
    } catch (error) {
      const reason = error instanceof SyntaxError ? "is not valid JSON" : "is not valid UTF-8";
      done(errors.invalidInput(`body: ${reason}, expected a JSON object`));
    }
  });
}

function parse(text: string): JsonBody {
  return { value: JSON.parse(text) as unknown, text };
}

export function jsonBody(request: FastifyRequest): JsonBody {
  return (request.body as JsonBody | undefined) ?? NO_BODY; // Only the parser above makes bodies.
}

/** @throws ServiceError that names every fault with its place. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const detail = describeFaults(result.error);
  throw isTooLarge(result.error) ? errors.tooLarge(detail) : errors.invalidInput(detail);
}
