/** The processes that share one database: what each can do, and what is left to the others. */
import { type EmbeddingSpace, isSameSpace } from "./embedding-space.ts";

/** What a process does, by the setting of its role: serves the API, works on jobs. */
export const ROLES = {
  all: ["api", "worker"],
  api: ["api"],
  worker: ["worker"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Role = keyof typeof ROLES;

export function serves({ role }: { readonly role: Role }): boolean {
  return role !== "worker";
}

export function works({ role }: { readonly role: Role }): boolean {
  return role !== "api";
}

export interface ServiceProcess {
  /** Random, of one start. */
  readonly processId: string;
  /** Machine and data directory: a process that starts there takes the place of the one before. */
  readonly place: string;
  readonly version: string;
  readonly roles: readonly string[];
  /** The spaces whose texts and questions it can embed. */
  readonly spaces: readonly EmbeddingSpace[];
  /** Whether it reads documents with a language model or a local reader. */
  readonly readsWithModel: boolean;
  /** The longest text that it accepts or makes of a file; null = a process of a version that does not tell it. */
  readonly maxTextBytes: number | null;
  /** Equal for equal secrets of sessions. */
  readonly secretMark: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
}

export interface ListedProcess extends ServiceProcess {
  readonly seenAt: number;
  readonly isStopped: boolean;
}

/** Work that other processes can do and this one cannot. */
export interface LeftToOthers {
  /** Projects with these spaces are left. */
  readonly spaces: readonly EmbeddingSpace[];
  /** Projects that are read with a model are left. */
  readonly readsWithModel: boolean;
}

export type Abilities = Pick<ServiceProcess, "spaces" | "readsWithModel">;

/** A process that was not seen for so long has ended, or cannot reach the database. */
export const SILENT_MS = 30_000;
/** So long the work of a process that has ended is left to it, since it may start again; then its row is removed. */
export const GONE_MS = 60 * 60_000;

/** What any of the listed processes can do and this one cannot; null when there is no such work. */
export function findLeft(own: Abilities, listed: readonly Abilities[]): LeftToOthers | null {
  const spaces: EmbeddingSpace[] = [];
  for (const space of listed.flatMap((other) => other.spaces)) {
    if (![...own.spaces, ...spaces].some((known) => isSameSpace(known, space))) spaces.push(space);
  }
  const readsWithModel = !own.readsWithModel && listed.some((other) => other.readsWithModel);
  return spaces.length > 0 || readsWithModel ? { spaces, readsWithModel } : null;
}

export function isRunning({ isStopped, seenAt }: ListedProcess, now: number): boolean {
  return !isStopped && now - seenAt <= SILENT_MS;
}

/** By their ids, among those that run, each of which finds the same one. */
export function isFirst(
  { processId }: Pick<ServiceProcess, "processId">,
  running: readonly Pick<ServiceProcess, "processId">[],
): boolean {
  return running.every((other) => processId <= other.processId);
}

/** In what the processes differ that should be the same in all of them. */
export type ProcessDifference = "version" | "embedding_models" | "extraction" | "text_limit" | "secret";

/** null: not known. */
const aspects: Readonly<Record<ProcessDifference, (process: ServiceProcess) => string | null>> = {
  version: ({ version }) => version,
  embedding_models: ({ spaces }) =>
    spaces
      .map(({ model, dimensions }) => `${model} ${dimensions}`)
      .sort()
      .join("\n"),
  extraction: ({ readsWithModel }) => String(readsWithModel),
  text_limit: ({ maxTextBytes }) => (maxTextBytes === null ? null : String(maxTextBytes)),
  secret: ({ secretMark }) => secretMark,
};

export const PROCESS_DIFFERENCES = Object.keys(aspects) as readonly ProcessDifference[]; // Its keys are of the type.

export function findDifferences(processes: readonly ServiceProcess[]): readonly ProcessDifference[] {
  return PROCESS_DIFFERENCES.filter((aspect) => {
    const known = processes.map(aspects[aspect]).filter((value) => value !== null);
    return new Set(known).size > 1;
  });
}

/** Whether one of the processes claims jobs. */
export function hasWorker(processes: readonly Pick<ServiceProcess, "roles">[]): boolean {
  return processes.some(({ roles }) => roles.includes("worker"));
}
