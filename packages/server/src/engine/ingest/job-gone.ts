/** The job was cancelled, deleted with its document or project, or taken up by another worker: nothing more is done for it. */
export class JobGoneError extends Error {
  constructor() {
    super("The job is not this worker's any more");
    this.name = "JobGoneError";
  }
}
