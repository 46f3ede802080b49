/** Which account each lane of this process works for: the last free lanes are for accounts that have none. */

export interface AccountLanes<Claim> {
  /**
   * Claims for a free lane. `claim` is told which accounts it must leave out; calls follow one another, so that each knows what
   * those before it have claimed. The lane is held until `leave` is called.
   */
  take(claim: (exceptAccounts: readonly string[]) => Promise<Claim>): Promise<TakenLane<Claim>>;
}

export interface TakenLane<Claim> {
  readonly claim: Claim;
  leave(): void;
}

/** `accountOf`: whose work has been claimed; null = none. `reserved`: that many of the lanes are for accounts that have none. Default: 1 */
export function createAccountLanes<Claim>(options: {
  readonly lanes: number;
  readonly reserved?: number;
  readonly accountOf: (claim: Claim) => string | null;
}): AccountLanes<Claim> {
  const { lanes, reserved = 1, accountOf } = options;
  /** The account of each lane that works. */
  const held = new Set<{ readonly accountId: string }>();
  let last: Promise<unknown> = Promise.resolve();

  function exceptAccounts(): readonly string[] {
    const isReserved = held.size >= lanes - reserved;
    return isReserved ? [...new Set([...held].map(({ accountId }) => accountId))] : [];
  }

  return {
    take(claim) {
      const taken = last.then(async () => {
        const claimed = await claim(exceptAccounts());
        const accountId = accountOf(claimed);
        if (accountId === null) return { claim: claimed, leave: () => undefined };
        const lane = { accountId };
        held.add(lane);
        return { claim: claimed, leave: () => void held.delete(lane) };
      });
      last = taken.catch(() => undefined);
      return taken;
    },
  };
}
