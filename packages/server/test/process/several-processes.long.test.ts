/** Several processes of the service on one PostgreSQL database. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { usePostgres } from "../support/postgres.ts";
import {
  type Home,
  postgresOf,
  startSession,
  type TestService,
  withHome,
  withService,
} from "../support/service.ts";

const setting = postgresOf(usePostgres());
type Environment = Readonly<Record<string, string>>;

/** Two services with data directories of their own; the second one begins when the first one listens. */
async function withTwo(
  envs: readonly [Environment, Environment],
  run: (first: TestService, second: TestService, home: Home) => Promise<void>,
): Promise<void> {
  await withHome(setting, (home) =>
    withHome(setting, (other) =>
      withService({ home, env: envs[0] }, (first) =>
        withService({ home: { ...other, ...shared(home) }, env: envs[1] }, (second) =>
          run(first, second, home),
        ),
      ),
    ),
  );
}

const shared = ({ databaseUrl, ownerKey }: Home) => ({ databaseUrl, ownerKey });

describe("two processes", () => {
  test("know each other's sessions", () =>
    withTwo([{}, {}], async (first, second) => {
      const cookie = await startSession(first.nobody, first.baseUrl);
      for (const { nobody, baseUrl } of [first, second]) {
        const headers = { cookie, origin: baseUrl, "sec-fetch-site": "same-origin" };
        assert.equal((await nobody.root("GET", "/api/v1/projects", { headers })).status, 200);
      }
    }));
});
