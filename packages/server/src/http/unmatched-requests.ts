import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

type Refuse = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>;

/** Addresses that only programs ask for. */
const ofPrograms = /^\/(?:api|assets|mcp)(?:\/|$)/;

interface KnownPath {
  readonly pattern: RegExp;
  /** As for an `Allow` header. */
  readonly methods: string[];
}

/** The routes of the application by their URL in the router's syntax. */
export interface KnownPaths {
  readonly byUrl: ReadonlyMap<string, KnownPath>;
  /** Responds with 405 and `Allow` on the path of a route that has other methods, else with 404, in browsers as a page. */
  readonly refuse: Refuse;
}

/**
 * Refuses requests that no route handles, before their body is read. Call it before the routes are added, and after
 * the CORS plugin, whose route for all paths says nothing about their methods. `sendPage` sends the page that says in a browser
 * that there is nothing.
 */
export function addUnmatchedRequests(
  app: FastifyInstance,
  sendPage: ((reply: FastifyReply) => Promise<FastifyReply>) | null = null,
): KnownPaths {
  const byUrl = new Map<string, KnownPath>();
  const refuse: Refuse = (request, reply) => {
    const [path = ""] = request.url.split("?");
    const { url = "" } = request.routeOptions;
    const known = byUrl.get(url) ?? findKnown(byUrl, path);
    if (sendPage !== null && known === undefined && isOfBrowser(request, path))
      return sendPage(reply.code(404));
    // A route may itself find nothing, as that of the dashboard's files.
    if (known === undefined || known.methods.includes(request.method))
      return reply.code(404).send({ detail: `No such endpoint: ${request.method} ${path}` });
    const allow = known.methods.join(", ");
    const detail = `${request.method} is not allowed here. Use ${allow}.`;
    return reply.code(405).header("allow", allow).send({ detail });
  };
  app.addHook("onRoute", ({ url, method, handler }) => {
    if (handler === refuse) return;
    const known = byUrl.get(url) ?? { pattern: patternOf(url), methods: [] };
    known.methods.push(...[method].flat());
    byUrl.set(url, known);
  });
  app.addHook("onRequest", async (request, reply) => (request.is404 ? refuse(request, reply) : undefined));
  app.setNotFoundHandler(refuse);
  return { byUrl, refuse };
}

function isOfBrowser({ method, headers }: FastifyRequest, path: string): boolean {
  const isRead = method === "GET" || method === "HEAD";
  return isRead && !ofPrograms.test(path) && headers.accept?.includes("text/html") === true;
}

/** As the router chooses: of `/ontologies/lint` and `/ontologies/:ontology_id` the first for its own path. */
function findKnown(byUrl: KnownPaths["byUrl"], path: string): KnownPath | undefined {
  return byUrl.get(path) ?? [...byUrl.values()].find(({ pattern }) => pattern.test(path));
}

function patternOf(url: string): RegExp {
  return new RegExp(`^${url.replaceAll(".", "\\.").replace(/:\w+/g, "[^/]+").replace("*", ".*")}$`);
}
