import { createServer } from "node:net";
import type { Config } from "./config.ts";

/** Replaces port 0 by a free port, because the public URL is needed before the service listens. */
export async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await new Promise<number>((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, config.host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
  return { ...config, port, publicUrl: config.publicUrl.replace(/:0(?=\/|$)/, `:${port}`) };
}
