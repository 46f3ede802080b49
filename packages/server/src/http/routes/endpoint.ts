import { Readable } from "node:stream";
import { API_PREFIX, type EndpointName, endpoints } from "@kcs/contract";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../domain/account.ts";
import { errors } from "../../domain/errors.ts";
import { encodeJson } from "../long-json.ts";

/** Path of an endpoint in the router's syntax, with `:name` for parameters. */
export function routePath(name: EndpointName): string {
  return API_PREFIX + endpoints[name].path.replace(/\{(\w+)\}/g, ":$1");
}

/**
 * Adds an endpoint of the contract's table. The handler's result is sent as JSON
 * with the success status of the table; a stream is sent as it is.
 */
export function addEndpoint(
  app: FastifyInstance,
  name: EndpointName,
  route: {
    bodyLimit?: number;
    config?: FastifyContextConfig;
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  },
): void {
  const { method, success } = endpoints[name];
  app.route({
    method,
    url: routePath(name),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    ...(route.config === undefined ? {} : { config: route.config }),
    async handler(request, reply) {
      const value = await route.handler(request, reply);
      if (value instanceof Readable) return reply.code(success).send(value);
      if (value === undefined) return reply.code(success).send();
      return reply
        .code(success)
        .header("content-type", "application/json; charset=utf-8")
        .send(encodeJson(value));
    },
  });
}

/**
 * @throws ServiceError when the request was not authenticated, so that a route without the hook fails closed
 */
export function requireCaller(request: FastifyRequest): Caller {
  if (request.caller === null || request.caller === undefined) throw errors.invalidApiKey();
  return request.caller;
}

export function pathParameter(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string | undefined>)[name] ?? ""; // The router always sets it.
}
