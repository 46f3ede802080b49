import type { Job } from "@kcs/sdk";

export type JobStatus = Job["status"];
export const jobStatuses: readonly JobStatus[] = ["pending", "running", "completed", "failed"];
