/** Loaded into the service with `--import`: the clock of its machine is as many milliseconds ahead as TEST_CLOCK_AHEAD_MS says, in every thread. */
const aheadMs = Number(process.env["TEST_CLOCK_AHEAD_MS"]);
const realNow = Date.now;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [realNow() + aheadMs] : given, newTarget),
});
Date.now = () => realNow() + aheadMs;
