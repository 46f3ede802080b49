/** Several processes of the service on one PostgreSQL, which are asked and fed while a test kills, stops and replaces them. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Client, endpointPath, type Reply, readSuccess } from "./http-client.ts";
import type { Text } from "./ingestion.ts";
import { type ServiceProcess, startProcess } from "./process.ts";
import { createHome, type Home } from "./service.ts";

type Environment = Readonly<Record<string, string>>;

interface Member {
  readonly name: string;
  readonly serves: boolean;
  readonly home: Home;
  readonly process: ServiceProcess;
  isStopped: boolean;
  /** Resolved when it is killed or stopped: what it was asked then need not be answered. */
  readonly disturbance: { current: PromiseWithResolvers<null> };
}

export interface Answered {
  readonly member: string;
  readonly status: number;
  readonly ms: number;
}

export interface Cluster {
  /** As the first of its name, or in place of the one that has been killed. */
  start(name: string, role: "api" | "worker", env?: Environment, main?: string): Promise<void>;
  /** What it has written. */
  kill(name: string): Promise<string>;
  stop(name: string): void;
  continue(name: string): void;
  client(name: string): Client;
  /** Sends the request to one API process after the other until one accepts it. */
  ingest(projectId: string, document: Text): Promise<string>;
  /** Asks each API process one question after the other, until the returned function is called. */
  keepAsking(projectId: string, questions: readonly string[]): () => Promise<void>;
  /** All answers of processes that were neither killed nor stopped meanwhile. */
  readonly answered: readonly Answered[];
  /** Answers that are neither a success nor a 503 that says when to try again, and connections that were lost. */
  readonly faults: readonly string[];
  end(): Promise<void>;
}

const PAUSE_MS = 50;
const ASKING_PAUSE_MS = 200;

export function createCluster(databaseUrl: string, options: { env?: Environment; main?: string }): Cluster {
  const members = new Map<string, Member>();
  const answered: Answered[] = [];
  const faults: string[] = [];
  let ownerKey: string | null = null;
  let turn = 0;
  let hasEnded = false;

  function memberOf(name: string): Member {
    const member = members.get(name);
    assert.ok(member, `There is no ${name}.`);
    return member;
  }

  const askable = () => [...members.values()].filter((member) => member.serves && !member.isStopped);

  function disturb(member: Member): void {
    member.isStopped = true;
    member.disturbance.current.resolve(null);
  }

  /** null: it was disturbed meanwhile. */
  async function call(
    { name, process, disturbance }: Member,
    send: (client: Client) => Promise<Reply>,
  ): Promise<Reply | null> {
    const began = performance.now();
    try {
      const reply = await Promise.race([send(process.owner), disturbance.current.promise]);
      if (reply === null) return null;
      const { status, headers, text } = reply;
      answered.push({ member: name, status, ms: performance.now() - began });
      const isExpected = status === 200 || (status === 503 && headers["retry-after"] !== undefined);
      if (!isExpected) faults.push(`${name} answered ${status}: ${text.slice(0, 500)}`);
      return reply;
    } catch (error) {
      faults.push(`${name} did not answer: ${error}`);
      return null;
    }
  }

  return {
    answered,
    faults,
    client: (name) => memberOf(name).process.owner,
    async start(name, role, env = {}, main = options.main) {
      const created = await createHome(databaseUrl);
      ownerKey ??= created.ownerKey;
      const home = { ...created, ownerKey };
      const own = { ...options.env, KCS_ROLE: role, ...env };
      const process = await startProcess(home, own, main);
      const disturbance = { current: Promise.withResolvers<null>() };
      members.set(name, { name, serves: role === "api", home, process, isStopped: false, disturbance });
    },
    async kill(name) {
      const member = memberOf(name);
      disturb(member);
      members.delete(name);
      const { output } = await member.process.end("SIGKILL");
      await member.home.remove();
      return output;
    },
    stop(name) {
      const member = memberOf(name);
      disturb(member);
      member.process.signal("SIGSTOP");
    },
    continue(name) {
      const member = memberOf(name);
      member.disturbance.current = Promise.withResolvers();
      member.process.signal("SIGCONT");
      member.isStopped = false;
    },
    async ingest(projectId, document) {
      const path = endpointPath("ingest", { params: { project_id: projectId } });
      const headers = { "idempotency-key": randomUUID() };
      while (!hasEnded) {
        const able = askable();
        const member = able[turn++ % Math.max(1, able.length)];
        const send = (client: Client) => client.call("POST", path, { headers, body: document });
        const reply = member === undefined ? null : await call(member, send);
        if (reply?.status === 200) return readSuccess("ingest", reply).job_id;
        await delay(PAUSE_MS);
      }
      throw new Error("The test has ended.");
    },
    keepAsking(projectId, questions) {
      let isEnded = false;
      const params = { project_id: projectId };
      async function askOne(name: string): Promise<void> {
        for (let at = 0; !isEnded && !hasEnded; at++) {
          const member = members.get(name);
          const body = { query: questions[at % questions.length] };
          if (member !== undefined && !member.isStopped)
            await call(member, (client) => client.endpoint("query", { params, body }));
          await delay(ASKING_PAUSE_MS);
        }
      }
      const asking = askable().map(({ name }) => askOne(name));
      return async () => {
        isEnded = true;
        await Promise.all(asking);
      };
    },
    async end() {
      hasEnded = true;
      for (const member of members.values()) {
        member.process.signal("SIGCONT");
        await member.process.end("SIGKILL");
        await member.home.remove();
      }
    },
  };
}
