/** The dashboard from its sources, with hot reload, and the service behind the same address. */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { join, resolve } from "node:path";
import react from "@vitejs/plugin-react";
import { createServer, type Plugin } from "vite";

const root = resolve(import.meta.dirname, "../..");

/** First parts of the service's own addresses; every other one is a page or a source of the dashboard. */
const servicePaths = ["/api", "/mcp", "/docs", "/openapi.json", "/llms.txt", "/health", "/ready", "/metrics"];
const ofService = new RegExp(`^(${servicePaths.join("|").replaceAll(".", "\\.")})([/?]|$)`);

export interface DashboardServerOptions {
  readonly host: string;
  readonly port: number;
  /** Origin of the service. */
  readonly target: string;
  readonly signUp: string;
  /** Whether the service listens, once that is certain. */
  readonly whenListening: () => Promise<boolean>;
}

export interface DashboardServer {
  close(): Promise<void>;
}

/** Resolves when it listens; rejects when the port is in use. */
export async function startDashboardServer(options: DashboardServerOptions): Promise<DashboardServer> {
  const server = createHttpServer();
  server.listen(options.port, options.host);
  await once(server, "listening");
  // As a middleware Vite does not end the process by itself when a signal arrives: the service must stop first.
  const vite = await createServer({
    root: join(root, "packages/dashboard"),
    configFile: false,
    cacheDir: join(root, "node_modules/.cache/vite-dashboard"),
    clearScreen: false,
    plugins: [react(), waitForService(options), fillPage(options)],
    server: {
      middlewareMode: true,
      hmr: { server },
      // The service builds into these folders when it starts with changed sources.
      watch: { ignored: ["**/dist/**", "**/dist-*/**"] },
      proxy: { [ofService.source]: { target: options.target } },
    },
  });
  server.on("request", vite.middlewares);
  return {
    async close() {
      await vite.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Requests wait while the service restarts. */
function waitForService({ whenListening }: DashboardServerOptions): Plugin {
  return {
    name: "wait-for-service",
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (!ofService.test(request.url ?? "")) return next();
        whenListening().then((isListening) => {
          if (isListening) return next();
          response.writeHead(503, { "content-type": "application/json", "retry-after": "1" });
          response.end(JSON.stringify({ detail: "The service is not running: the terminal says why." }));
        }, next);
      });
    },
  };
}

/** What the service writes into the page when it serves it: see `http/routes/dashboard.ts`. */
function fillPage({ signUp }: DashboardServerOptions): Plugin {
  return {
    name: "fill-page",
    transformIndexHtml: {
      order: "pre",
      handler: (page) => page.replace("%SIGN_UP%", signUp).replaceAll("%NONCE%", ""),
    },
  };
}
