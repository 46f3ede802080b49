/** What a process has towards its callers: the whole API with query threads, or only its health where it is a worker. */
import type { FastifyInstance } from "fastify";
import type { Auth } from "./adapters/auth/auth.ts";
import type { OpenedStore } from "./adapters/database/open-store.ts";
import type { AdoptedStore } from "./adapters/segments/open-outside.ts";
import { closeHttp, createHttp } from "./compose-http.ts";
import { createServices } from "./compose-services.ts";
import type { Config } from "./config.ts";
import { openDashboardFiles } from "./dashboard-files.ts";
import { createOperationsApp } from "./http/operations-app.ts";
import type { Operations } from "./http/routes/operations.ts";
import type { Monitoring } from "./metrics.ts";
import type { ActAs } from "./ports/current-work.ts";
import type { BoundedLog, Log } from "./ports/log.ts";
import type { Tracer } from "./ports/tracing.ts";
import type { WebhookSender } from "./ports/webhook-sender.ts";
import { createQueryMeter } from "./services/query-meter.ts";
import type { SetUp } from "./services/set-up.ts";
import { createBodyThread } from "./threads/body-client.ts";
import type { IngestSupervisor } from "./threads/ingest-supervisor.ts";
import type { QueryPool } from "./threads/query-pool.ts";
import { createSuggestThread } from "./threads/suggest-client.ts";
import type { ThreadDeps } from "./threads/thread.ts";

export interface Edge {
  /** By the way that questions take. @throws StoreUnavailableError */
  readonly checkDatabase: () => Promise<void>;
  /** Why questions cannot be answered; null when nothing is wrong. */
  readonly fault: () => string | null;
  open(operations: Operations): Promise<FastifyInstance>;
  /** Begins what would take time from the start. */
  afterStart(): void;
  /** Running requests end; questions hurry. */
  close(app: FastifyInstance): Promise<void>;
  /** Writes what was only counted. */
  flush(): void;
}

interface Shared {
  readonly config: Config;
  readonly opened: OpenedStore;
  /** null: the bytes of segments are in the database. */
  readonly segmentStore: AdoptedStore | null;
  readonly ingest: IngestSupervisor;
  readonly threads: ThreadDeps;
  readonly monitoring: Monitoring;
  readonly log: Log;
  /** For what requests cause, however many they are. */
  readonly requestLog: BoundedLog;
  /** null = nothing is recorded. */
  readonly tracer: Tracer | null;
}

/** `onClose` takes what ends each part, in the order of their starts. */
export function startApi(
  parts: Shared & {
    readonly queries: QueryPool;
    readonly auth: Auth;
    readonly setUp: SetUp;
    readonly actAs: ActAs;
    readonly webhookSender: WebhookSender;
  },
  onClose: (closer: () => Promise<unknown>) => void,
): Edge {
  const { config, opened, queries, threads, monitoring, log, requestLog } = parts;
  const { store } = opened;
  const bodies = createBodyThread({ maxTextBytes: config.maxTextBytes }, threads);
  onClose(() => bodies.close());
  const suggester = createSuggestThread(threads);
  onClose(() => suggester.close());
  const dashboard = openDashboardFiles({ log });
  onClose(async () => dashboard.close());
  const queryMeter = createQueryMeter({ store, log, now: store.now });
  onClose(() => queryMeter.flush());
  const services = createServices({
    ...parts,
    store,
    suggester,
    queryMeter,
    readLargeBody: bodies.read,
  });
  return {
    checkDatabase: queries.checkDatabase,
    fault: queries.fault,
    open: (operations) =>
      createHttp({
        ...{ ...parts, services, operations, dashboard },
        toolCalls: monitoring.toolCalls,
        readLargeBody: bodies.read,
        log: requestLog,
      }),
    afterStart: dashboard.refresh,
    async close(app) {
      queries.hurry();
      await closeHttp(app);
      await queries.close();
    },
    flush: () => void queryMeter.flush(),
  };
}

/** It answers no question, so its readiness is that of its database and its ingest thread. */
export function workerEdge({ config, requestLog }: Pick<Shared, "config" | "requestLog">): Edge {
  return {
    checkDatabase: async () => undefined,
    fault: () => null,
    open: async (operations) =>
      createOperationsApp({
        operations,
        log: requestLog,
        metricsToken: config.metricsToken,
        publicUrl: config.publicUrl,
      }),
    afterStart: () => undefined,
    close: closeHttp,
    flush: () => undefined,
  };
}
