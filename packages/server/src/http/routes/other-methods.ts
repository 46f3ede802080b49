import type { FastifyInstance } from "fastify";

/** Answers 405 with `Allow` on a path that has one method, before a body is read. */
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
