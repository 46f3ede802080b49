/** The request of the set-up page, which the owner opens with a link: chooses e-mail address and password. */
import type { FastifyInstance } from "fastify";
import { errors } from "../../domain/errors.ts";
import type { SetUp } from "../../services/set-up.ts";
import { check, jsonBody, registerJsonBodies } from "../body.ts";
import { type AuthRouteDeps, authBodyLimit, authPrefix, sendResponse } from "./auth.ts";
import { authBodies } from "./auth-bodies.ts";
import { originFault } from "./origin-fault.ts";

export interface SetUpRouteDeps extends Omit<AuthRouteDeps, "signUp"> {
  readonly setUp: Pick<SetUp, "complete">;
}

export function addSetUpRoutes(app: FastifyInstance, deps: SetUpRouteDeps): void {
  app.register((scope, _options, done) => {
    registerJsonBodies(scope);
    addSetUp(scope, deps);
    done();
  });
}

function addSetUp(scope: FastifyInstance, deps: SetUpRouteDeps): void {
  scope.post(`${authPrefix}/set-up`, { bodyLimit: authBodyLimit }, async (request, reply) => {
    reply.header("cache-control", "no-store");
    const fault = originFault(request, deps.publicOrigin);
    if (fault !== null) return reply.code(403).send({ detail: fault });
    const clientAddress = deps.clientAddress(request.raw);
    const retryAfter = deps.endpoints.countLinkAttempt(clientAddress);
    if (retryAfter > 0) throw errors.tooManyAttempts(retryAfter);
    const { token, email, password } = check(authBodies.setUp, jsonBody(request).value);
    await deps.setUp.complete({ token, email, password });
    const userAgent = request.headers["user-agent"] ?? "";
    return sendResponse(await deps.endpoints.signIn({ email, password, clientAddress, userAgent }), reply);
  });
}
