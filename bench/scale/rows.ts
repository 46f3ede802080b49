/** The table of the figures that have a limit. */
import type { measureBusy } from "./busy.ts";
import type { Filled } from "./data-directory.ts";
import type { measureIdle } from "./idle.ts";
import type { describeIndexAlone } from "./index-alone.ts";
import type { measureIngestShare } from "./ingest-share.ts";
import type { measureRestarts } from "./restart.ts";
import { atLeast, atMost, type Row, under } from "./table.ts";

export interface Figures {
  readonly filled: Filled;
  readonly idle: Awaited<ReturnType<typeof measureIdle>>;
  readonly alone: ReturnType<typeof describeIndexAlone>;
  readonly restarts: Awaited<ReturnType<typeof measureRestarts>>["restarts"];
  readonly busy: Awaited<ReturnType<typeof measureBusy>>;
  readonly ingest: Awaited<ReturnType<typeof measureIngestShare>>;
  readonly failures: number;
}

const MB = 1e6;

export function tableOf(figures: Figures): readonly Row[] {
  return [...questionRows(figures), ...loadRows(figures), ...restRows(figures)];
}

function questionRows({ filled, idle, alone }: Figures): readonly Row[] {
  const small = filled.scales[0]?.chunks ?? 0;
  const large = filled.scales.at(-1)?.chunks ?? 0;
  const { oneClient } = idle;
  return [
    atMost({
      what: `search alone over the bare int8 scan, p50, ${large} chunks`,
      value: alone.searchOverScan,
      limit: 1.5,
      unit: "x",
    }),
    atMost({
      what: "whole question over HTTP, one client, over embedding and search alone, p50",
      value: oneClient.p50Ms / alone.embeddingAndSearch.p50Ms,
      limit: 2,
      unit: "x",
    }),
    under({
      what: "whole question over HTTP, one client, p95",
      value: oneClient.p95Ms,
      limit: 40,
      unit: "ms",
    }),
    atLeast({
      what: `${idle.manyClients.clients} clients, throughput over what all cores could do at one client's cost`,
      value: idle.manyClients.shareOfPossible,
      limit: 0.8,
      unit: "x",
    }),
    atMost({
      what: `growth of the whole question's p50 from ${small} to ${large} chunks`,
      value: filled.scales.length > 1 ? idle.growth.ratio : null,
      limit: 2,
      unit: "x",
    }),
  ];
}

function loadRows({ idle, busy, ingest }: Figures): readonly Row[] {
  const idleMs = idle.oneClient.p50Ms;
  return [
    atLeast({
      what: "ingestion over the embedder alone, chunks per second, a share of the data (whole: bench/ingest.ts)",
      value: ingest.ratio,
      limit: 0.85,
      unit: "x",
    }),
    atMost({
      what: "whole question's p50 while ingesting into the same project, over idle",
      value: busy.sameProject.p50Ms / idleMs,
      limit: 3,
      unit: "x",
    }),
    atMost({
      what: "whole question's p50 while ingesting into another project, over idle",
      value: busy.otherProject.p50Ms / idleMs,
      limit: 3,
      unit: "x",
    }),
    under({
      what: `event-loop delay of the main thread, p99, ingesting and ${busy.fullLoad.clients} clients`,
      value: busy.fullLoad.eventLoopDelayP99Ms,
      limit: 20,
      unit: "ms",
    }),
  ];
}

function restRows({ filled, idle, restarts, failures }: Figures): readonly Row[] {
  const megabytes = (bytes: number | null) => (bytes === null ? null : bytes / MB);
  return [
    under({
      what: "resident memory after load",
      value: megabytes(filled.rssAfterLoadBytes),
      limit: 700,
      unit: "MB",
    }),
    under({
      what: `resident memory after ${idle.oneClient.questions} questions`,
      value: megabytes(idle.rssAfterQuestionsBytes),
      limit: 700,
      unit: "MB",
    }),
    under({
      what: "first answer after a restart, from ready",
      value: restarts.firstAnswerSeconds,
      limit: 1,
      unit: "s",
    }),
    under({
      what: "first answer after a restart, from the start of the process",
      value: restarts.fromStartSeconds,
      limit: 1,
      unit: "s",
    }),
    atMost({ what: "answers that failed, and wrong counts", value: failures, limit: 0, unit: "" }),
  ];
}
