import type { ListedProcess, ServiceProcess } from "../domain/service-process.ts";

/** The processes that share the database. */
export interface ProcessStore {
  /**
   * Notes that the process runs. Removes those that were not seen since `goneSince`, and ended ones of the same place: stopped, or not seen
   * since `silentSince`.
   */
  noteProcess(input: {
    process: ServiceProcess;
    now: number;
    silentSince: number;
    goneSince: number;
  }): Promise<void>;
  /** Notes that it has stopped. */
  noteStopped(input: { processId: string }): Promise<void>;
  /** Those that were seen last come first; at most 1,000. */
  listProcesses(): Promise<readonly ListedProcess[]>;
}
