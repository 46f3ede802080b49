/** Use of the connections to PostgreSQL, by the threads that have them. Read from the board with each scrape. */
import { Counter, Gauge, type Registry } from "prom-client";
import {
  POOL_THREADS,
  POOL_USES,
  type PoolBoard,
  type PoolThread,
  type PoolUse,
} from "./adapters/database/pool-board.ts";

type Show = (labels: { readonly thread: PoolThread; readonly use: PoolUse }) => void;

export function registerPoolMetrics(registry: Registry, board: Pick<PoolBoard, "read">): void {
  const registers = [registry];
  const labelNames = ["thread", "use"] as const;
  const forEach = (show: Show) => {
    for (const thread of POOL_THREADS) for (const use of POOL_USES) show({ thread, use });
  };
  new Gauge({
    name: "kcs_database_connections",
    help: "Connections to PostgreSQL: open ones, and those of them that are in use.",
    labelNames: [...labelNames, "state"],
    registers,
    collect() {
      forEach(({ thread, use }) => {
        for (const state of ["open", "in_use"] as const)
          this.labels({ thread, use, state }).set(board.read(thread, use, state));
      });
    },
  });
  new Gauge({
    name: "kcs_database_calls_waiting",
    help: "Calls that wait for a connection.",
    labelNames,
    registers,
    collect() {
      forEach((labels) => this.labels(labels).set(board.read(labels.thread, labels.use, "waiting")));
    },
  });
  const counter = (name: string, help: string, value: (thread: PoolThread, use: PoolUse) => number) =>
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        forEach((labels) => this.labels(labels).inc(value(labels.thread, labels.use)));
      },
    });
  counter("kcs_database_calls_total", "Calls of the database.", (thread, use) =>
    board.read(thread, use, "waits"),
  );
  counter(
    "kcs_database_wait_seconds_total",
    "Time that calls have waited for a connection.",
    (thread, use) => board.read(thread, use, "wait_ms") / 1000,
  );
  counter(
    "kcs_database_lock_conflicts_total",
    "Tries of writes that waited too long for a lock of others, or were in a deadlock with them.",
    (thread, use) => board.read(thread, use, "conflicts"),
  );
}
