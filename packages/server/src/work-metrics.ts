/** What questions and jobs took, by the reports of the threads. */
import { Counter, Histogram, type Registry } from "prom-client";
import type { WorkActivity } from "./ports/work-activity.ts";

const STAGE_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const JOB_BUCKETS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

export interface WorkMetrics {
  record(activity: WorkActivity): void;
  register(registry: Registry): void;
}

export function createWorkMetrics(): WorkMetrics {
  const stages = new Histogram({
    name: "kcs_question_stage_seconds",
    help: "Time of each stage of a search in a query thread; total: of all. A dynamic question has several searches.",
    labelNames: ["stage"],
    buckets: STAGE_BUCKETS,
    registers: [],
  });
  const segments = new Counter({
    name: "kcs_segment_lookups_total",
    help: "Segments that searches needed: in memory (cached), or read from the database (read).",
    labelNames: ["from"],
    registers: [],
  });
  const jobs = new Histogram({
    name: "kcs_job_seconds",
    help: "Time from the start of a job until this process completed, failed or postponed it.",
    labelNames: ["result"],
    buckets: JOB_BUCKETS,
    registers: [],
  });
  return {
    record(activity) {
      if (activity.measured === "batch") return;
      if (activity.measured === "job") {
        const { result, startedAt, endedAt } = activity;
        return jobs.labels(result).observe((endedAt - startedAt) / 1000);
      }
      for (const [stage, ms] of Object.entries(activity.stagesMs)) stages.labels(stage).observe(ms / 1000);
      segments.labels("cached").inc(activity.segments.cached);
      segments.labels("read").inc(activity.segments.read);
    },
    register(registry) {
      registry.registerMetric(stages);
      registry.registerMetric(segments);
      registry.registerMetric(jobs);
    },
  };
}
