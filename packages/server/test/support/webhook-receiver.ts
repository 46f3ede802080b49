/** A receiver of webhooks on this machine, which checks what it is sent as a receiver should. */
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { responses } from "@kcs/contract";
import type { z } from "zod";
import { waitFor } from "./ingestion.ts";

export interface ReceivedMessage {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly message: z.output<typeof responses.webhookMessage>;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedMessage[];
  /** What the next messages are answered; "hang" = never. */
  answer(status: number | "hang"): void;
  /** Once so many messages were received. */
  receive(count: number): Promise<readonly ReceivedMessage[]>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedMessage[] = [];
  let status: number | "hang" = 204;
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => {
      body += part.toString();
    });
    request.on("end", () => {
      const message = responses.webhookMessage.parse(JSON.parse(body));
      received.push({ id: String(request.headers["webhook-id"]), headers: request.headers, body, message });
      if (status !== "hang") response.writeHead(status).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  return {
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    answer(next) {
      status = next;
    },
    receive: (count) =>
      waitFor(`${count} webhook messages`, async () => (received.length >= count ? received : null)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** As the Standard Webhooks specification says, written anew. */
export function assertSigned({ headers, body }: ReceivedMessage, secret: string): void {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  assert.ok(age < 300, `signed ${age} seconds ago`);
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key)
    .update(`${String(id)}.${String(timestamp)}.${body}`)
    .digest("base64");
  assert.equal(signature, `v1,${expected}`);
}
