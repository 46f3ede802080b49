import { initial } from "./001-initial.ts";
import type { Migration } from "./migration.ts";

/** In the order of their numbers, without gaps. */
export const migrations: readonly Migration[] = [initial];
