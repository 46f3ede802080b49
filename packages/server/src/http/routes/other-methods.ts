import type { FastifyInstance } from "fastify";

/** Answers all methods but one on a path with 405 and `Allow`, before the body is read. */
export function refuseOtherMethods(scope: FastifyInstance, url: string, allow: "GET" | "POST"): void {
  scope.route({
    method: ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => method !== allow),
    url,
    exposeHeadRoute: false,
    onRequest: async (request, reply) =>
      reply
        .code(405)
        .header("allow", allow)
        .send({ detail: `${request.method} is not allowed here. Use ${allow}.` }),
    handler: () => null,
  });
}
