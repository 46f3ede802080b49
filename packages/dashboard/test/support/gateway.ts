/** A proxy in front of the service: where it is closed the service is gone for the page, which loses its connections, too. */
import { createServer, request, type Server } from "node:http";
import { freePort } from "./scene.ts";

export interface Gateway {
  /** Without a slash at the end. Tell it to the service as its `KCS_PUBLIC_URL`. */
  readonly url: string;
  open(target: string): Promise<void>;
  close(): Promise<void>;
}

/** `prefix`: a path that the proxy takes off, as "/tools". */
export async function createGateway(prefix = ""): Promise<Gateway> {
  const port = await freePort();
  let server: Server | null = null;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    async open(target) {
      const { hostname, port: targetPort } = new URL(target);
      const proxy = createServer((incoming, outgoing) => {
        if (!incoming.url?.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
        const { method, headers } = incoming;
        const path = incoming.url.slice(prefix.length);
        const sent = request({ hostname, port: targetPort, method, path, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        sent.on("error", () => outgoing.destroy());
        outgoing.on("close", () => sent.destroy());
        incoming.pipe(sent);
      });
      await new Promise<void>((listening) => proxy.listen(port, "127.0.0.1", listening));
      server = proxy;
    },
    async close() {
      const closing = server;
      server = null;
      if (closing === null) return;
      closing.closeAllConnections();
      await new Promise((closed) => closing.close(closed));
    },
  };
}
