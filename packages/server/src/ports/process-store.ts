import type { ListedProcess, ServiceProcess } from "../domain/service-process.ts";

/** Numbers of migrations. */
export interface SchemaState {
  /** The last one that this version of the service knows. */
  readonly known: number;
  /** The last one that was applied to the database. */
  readonly newest: number;
  /** The one that a process must know at least to use the database. */
  readonly oldest: number;
}

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
  readSchema(): Promise<SchemaState>;
  /** Those that were seen last come first; at most 1,000. */
  listProcesses(): Promise<readonly ListedProcess[]>;
}
