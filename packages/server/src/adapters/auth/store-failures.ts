/** Tells why the database failed a call. The library turns some failures into an answer of 500 that has no cause. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { StoreUnavailableError } from "../../ports/store.ts";

export interface StoreFailures {
  /** The same adapter. Its errors are translated, and those of the database are noted for `run`. */
  watch(inner: DBAdapter): DBAdapter;
  /** @throws StoreUnavailableError where the database kept the library from doing the work */
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

  return {
    watch: (inner) =>
      new Proxy(inner, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return async (...given: readonly unknown[]) => {
            try {
              return await value.apply(target, given);
            } catch (error) {
              throw note(error);
            }
          };
        },
      }),

    async run(work) {
      const noted: { failure: StoreUnavailableError | null } = { failure: null };
      const isRefusal = (result: unknown) => result instanceof Response && !result.ok;
      try {
        const result = await works.run(noted, work);
        if (noted.failure !== null && isRefusal(result)) throw noted.failure;
        return result;
      } catch (error) {
        throw noted.failure ?? error;
      }
    },
  };
}
