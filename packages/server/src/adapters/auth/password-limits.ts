/** Limits of failed passwords for each account, in the database: restarts and other processes do not reset them. */
import { createHmac } from "node:crypto";
import type { Library } from "./library.ts";

/**
 * Where a password comes from: a browser or an address from which somebody has signed in to the account before, or
 * anywhere. Each has a limit of its own, so that strangers cannot use up those of the account's owner.
 */
export type Source = "browser" | "address" | "stranger";

/** Each failure is forgotten after this time, one at a time. It is also the longest delay. */
const forgetMs: Readonly<Record<Source, number>> = {
  browser: 5 * 60_000,
  address: 5 * 60_000,
  stranger: 2 * 60_000,
};
/** After this many failures a delay of a second begins, which doubles with every further one. */
const freeFailures = 5;
const model = "signInFailure";
/** More than the attempts that are admitted before the first delay, each of which can make one swap fail. */
const maxSwaps = 20;

/** In epoch milliseconds. */
export interface Failures {
  /** When all are forgotten. */
  readonly clearAt: number;
  /** No attempt is admitted before. */
  readonly nextAt: number;
}

const none: Failures = { clearAt: 0, nextAt: 0 };

/**
 * The state after one more failure. At most 12 + 30 attempts of strangers and 14 + 12 from each other source are
 * admitted in any hour: the failures that are remembered when the longest delay begins, and one per `forgetMs`. Together
 * these are 94; ASVS 2.2.1 allows 100.
 */
export function addFailure({ clearAt }: Failures, source: Source, now: number): Failures {
  const added = Math.max(clearAt, now) + forgetMs[source];
  const failures = Math.ceil((added - now) / forgetMs[source]);
  const delayMs = failures < freeFailures ? 0 : 1000 * 2 ** (failures - freeFailures);
  return { clearAt: added, nextAt: now + Math.min(delayMs, forgetMs[source]) };
}

export interface PasswordLimits {
  /**
   * Counts an attempt as failed before its password is checked, so that concurrent ones cannot exceed the limit. Returns
   * 0 if it is admitted, else the seconds to wait.
   */
  admit(source: Source, email: string): Promise<number>;
  /** Takes the failure back, when the password was right or was not checked. */
  forgive(source: Source, email: string): Promise<void>;
}

export function createPasswordLimits(deps: {
  readonly library: Library;
  readonly secret: string;
  readonly now: () => number;
}): PasswordLimits {
  const { library, secret, now } = deps;

  /** One of 65,536 rows per source, which bounds the table. Accounts that share a row are rare and change with the secret. */
  function rowId(source: Source, email: string): string {
    const slot = createHmac("sha256", secret).update(`failures ${email}`).digest().readUInt16BE();
    return `${source}-${slot}`;
  }

  async function find(id: string): Promise<Failures | null> {
    const { adapter } = await library.$context;
    const row = await adapter.findOne<{ clearAt: Date; nextAt: Date }>({
      model,
      where: [{ field: "id", value: id }],
    });
    return row && { clearAt: row.clearAt.getTime(), nextAt: row.nextAt.getTime() };
  }

  /** False if another request has changed the row since it was read. */
  async function swap(id: string, from: Failures | null, to: Failures): Promise<boolean> {
    const { adapter } = await library.$context;
    const data = { clearAt: new Date(to.clearAt), nextAt: new Date(to.nextAt) };
    if (from !== null) {
      const where = [
        { field: "id", value: id },
        { field: "clearAt", value: new Date(from.clearAt) },
      ];
      return (await adapter.incrementOne({ model, where, increment: {}, set: data })) !== null;
    }
    try {
      await adapter.create({ model, data: { id, ...data }, forceAllowId: true });
      return true;
    } catch (error) {
      if ((await find(id)) === null) throw error;
      return false;
    }
  }

  return {
    async admit(source, email) {
      const id = rowId(source, email);
      for (let round = 0; round < maxSwaps; round++) {
        const failures = await find(id);
        const waitMs = (failures ?? none).nextAt - now();
        // A longer wait is not possible, unless the clock was set back.
        if (waitMs > 0 && waitMs <= forgetMs[source]) return Math.ceil(waitMs / 1000);
        if (await swap(id, failures, addFailure(failures ?? none, source, now()))) return 0;
      }
      return 1;
    },

    async forgive(source, email) {
      const id = rowId(source, email);
      for (let round = 0; round < maxSwaps; round++) {
        const failures = await find(id);
        if (failures === null) return;
        const clearAt = failures.clearAt - forgetMs[source];
        // The attempt was admitted, so the delay of the failure before it was over.
        const nextAt = Math.min(failures.nextAt, now());
        if (await swap(id, failures, { clearAt, nextAt })) return;
      }
    },
  };
}
