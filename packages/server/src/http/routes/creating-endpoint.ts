import type { EndpointName } from "@kcs/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Once } from "../../domain/once.ts";
import { answerOnce } from "../request-key.ts";
import { addEndpoint } from "./endpoint.ts";

/** Adds an endpoint that creates something and supports `Idempotency-Key`. */
export function addCreatingEndpoint<Made>(
  app: FastifyInstance,
  name: EndpointName,
  route: {
    readonly bodyLimit?: number;
    readonly create: (
      request: FastifyRequest,
      reply: FastifyReply,
      once: Once<Made> | undefined,
    ) => Promise<Made>;
    readonly present: (made: Made) => unknown;
  },
): void {
  addEndpoint(app, name, {
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    handler: (request, reply) =>
      answerOnce<Made>(
        { request, reply },
        { create: (once) => route.create(request, reply, once), present: route.present },
      ),
  });
}
