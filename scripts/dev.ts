/**
 * `npm run dev`: the service, which restarts when its sources change, with a readable log, and the dashboard with hot
 * reload. Both are at the service's usual address; the service itself listens on a free port behind it.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { createLineSplitter, prettyLine } from "./dev/pretty-log.ts";
import { startServiceProcess } from "./dev/service-process.ts";

const root = resolve(import.meta.dirname, "..");
const watched = ["packages/server/src", "packages/contract/src", "packages/minilm/src"];
const sayOnTerminal = (message: string) => process.stdout.write(`— ${message.replaceAll(`${root}/`, "")}\n`);

async function main(): Promise<void> {
  const host = process.env["KCS_HOST"] || "127.0.0.1";
  const port = Number(process.env["KCS_PORT"] || 8080);
  const servicePort = await findFreePort();
  const log = createLineSplitter((line) => {
    process.stderr.write(`${prettyLine(line, { hasColours: process.stderr.isTTY })}\n`);
  });
  const service = startServiceProcess({
    command: [join(root, "launcher/launch.mjs"), join(root, "packages/server/src/main.ts"), "serve"],
    env: {
      ...process.env,
      KCS_HOST: "127.0.0.1",
      KCS_PORT: String(servicePort),
      KCS_DRAIN_SECONDS: "0",
      // The links that the service prints, its cookies and its check of origins follow the address of the page.
      KCS_PUBLIC_URL: process.env["KCS_PUBLIC_URL"] || `http://${host}:${port}`,
    },
    folders: watched.map((folder) => join(root, folder)),
    onOutput: (part) => process.stdout.write(part),
    onLog: log.write,
    onChange: sayOnTerminal,
  });
  // Loaded while the service starts.
  const { startDashboardServer } = await import("./dev/dashboard-server.ts");
  const dashboard = await startDashboardServer({
    host,
    port,
    target: `http://127.0.0.1:${servicePort}`,
    signUp: process.env["KCS_SIGN_UP"] || "closed",
    whenListening: service.whenListening,
  }).catch(async (error: unknown) => {
    await service.stop();
    throw error;
  });
  sayOnTerminal(`Restarts with changes in ${watched.join(", ")}; the dashboard reloads by itself.`);

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    await Promise.all([service.stop(), dashboard.close()]);
    log.end();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop());
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("The system gave no free port.");
  return address.port;
}

await main().catch((error: NodeJS.ErrnoException) => {
  if (error.code !== "EADDRINUSE") throw error;
  process.stderr.write(
    "The port is in use. Stop the service that listens there, or choose another one with KCS_PORT.\n",
  );
  process.exitCode = 1;
});
