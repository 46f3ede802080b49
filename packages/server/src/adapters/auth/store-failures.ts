/** Tells that the database has failed. The accounts library catches some failures, and answers 500, 401 or 422, or as if nothing had failed. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { StoreUnavailableError } from "../../ports/store.ts";

export interface StoreFailures {
  /** The same adapter. Its errors are translated, and those of the database are noted for `run`. */
  watch(inner: DBAdapter): DBAdapter;
  /** Runs work within that of `run` whose failures do not fail that. */
  unnoted<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailableError where the database failed a part of the work, whatever the library answers */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createStoreFailures(translate: (error: unknown) => unknown): StoreFailures {
  const works = new AsyncLocalStorage<{ failure: StoreUnavailableError | null }>();

  function note(error: unknown): unknown {
    const translated = translate(error);
    const work = works.getStore();
    if (work !== undefined && translated instanceof StoreUnavailableError) work.failure = translated;
    return translated;
  }

  const watch = <Watched extends object>(inner: Watched): Watched =>
    new Proxy(inner, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return async (...given: readonly unknown[]) => {
          try {
            // What runs in the library's own transaction gets another adapter.
            return await value.apply(target, name === "transaction" ? given.map(watchGiven) : given);
          } catch (error) {
            throw note(error);
          }
        };
      },
    });
  const watchGiven = (run: unknown) =>
    typeof run === "function" ? (scope: object) => run(watch(scope)) : run;

  return {
    watch,

    unnoted: (work) => works.exit(work),

    async run(work) {
      const noted: { failure: StoreUnavailableError | null } = { failure: null };
      const result = await works.run(noted, work).catch((error: unknown) => {
        if (noted.failure === null) throw error;
      });
      // The library may have answered as if nothing had failed.
      if (noted.failure !== null) throw noted.failure;
      return result as Awaited<ReturnType<typeof work>>; // Without a failure, `work` has returned it.
    },
  };
}
