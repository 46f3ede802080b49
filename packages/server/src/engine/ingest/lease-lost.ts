/** The worker no longer holds the job: it was cancelled, deleted with its document or project, or claimed by another worker. */
export class LeaseLostError extends Error {
  constructor() {
    super("The worker no longer holds the lease on this job");
    this.name = "LeaseLostError";
  }
}
