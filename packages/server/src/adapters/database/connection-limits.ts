/** How the connections of a process to PostgreSQL are shared out among its threads. */

/** Maximum numbers of connections; connections are opened on demand. */
export interface ConnectionLimits {
  /** For the store's writes and changes of accounts, which may wait for each other's locks. */
  readonly writes: number;
  /** For reads, key look-ups and the other statements of the authentication library, which do not wait for locks. */
  readonly reads: number;
}

export interface ProcessConnections {
  readonly main: ConnectionLimits;
  readonly ingest: ConnectionLimits;
  /** Of each query thread, which only reads. */
  readonly query: number;
}

/** An account holds half of a pool at most, so the main thread needs two of each kind. */
const LEAST = { mainReads: 2, mainWrites: 2, ingestReads: 1, ingestWrites: 2 };
const LEAST_OUTSIDE = 7;
/** More are of no use to one process. */
const MOST_QUERY = 2;

/** Below this number the parts of a process would wait for each other. */
export function leastConnections(queryThreads: number): number {
  return LEAST_OUTSIDE + queryThreads;
}

/** One more for the writes of requests: with two query threads ten in all. */
export function usualConnections(queryThreads: number): number {
  return leastConnections(queryThreads) + 1;
}

/** `total` is at least `leastConnections`. What is beyond goes to the parts in turn. */
export function shareConnections(total: number, queryThreads: number): ProcessConnections {
  const shares = { ...LEAST };
  let query = 1;
  let left = total - leastConnections(queryThreads);
  const order = ["mainWrites", "mainReads", "ingestWrites", "ingestReads"] as const;
  for (let turn = 0; left > 0; turn++) {
    if (turn === order.length && left >= queryThreads && query < MOST_QUERY) {
      query++;
      left -= queryThreads;
      continue;
    }
    const part = order[turn % order.length] ?? "mainWrites";
    shares[part]++;
    left--;
  }
  return {
    main: { writes: shares.mainWrites, reads: shares.mainReads },
    ingest: { writes: shares.ingestWrites, reads: shares.ingestReads },
    query,
  };
}
