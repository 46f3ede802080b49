import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@kcs/sdk";
import { sendEach } from "./send-each.ts";

const limited = () =>
  new ApiError({ status: 429, detail: "Rate limit exceeded.", requestId: null, retryAfterSeconds: 0.01 });
const jobsOf = (name: string) => ({ jobs: [{ job_id: `job ${name}`, source_doc_id: name }] });

test("requests after the first one wait for the rate limit, and nothing is left out", async () => {
  const [sent, waits]: [string[], number[]] = [[], []];
  let refusals = 2;
  const onSent = (jobs: readonly { readonly source_doc_id: string }[]) =>
    void sent.push(...jobs.map(({ source_doc_id }) => source_doc_id));
  await sendEach(["a", "b", "c"], { onSent, onWait: (seconds) => void waits.push(seconds) }, async (name) => {
    if (name === "b" && refusals-- > 0) throw limited();
    return jobsOf(name);
  });
  assert.deepEqual(
    [sent, waits],
    [
      ["a", "b", "c"],
      [1, 1],
    ],
  );
});

test("a first request that is refused, a lasting limit and another fault end the sending", async () => {
  const onSent = () => undefined;
  let tries = 0;
  const refuse = (from: string, error: Error) => async (name: string) => {
    tries++;
    if (name >= from) throw error;
    return jobsOf(name);
  };
  await assert.rejects(sendEach(["a", "b"], { onSent }, refuse("a", limited())), /Rate limit/);
  assert.equal(tries, 1);
  await assert.rejects(sendEach(["a", "b"], { onSent }, refuse("b", limited())), /Rate limit/);
  assert.equal(tries, 1 + 1 + 11);
  await assert.rejects(sendEach(["a", "b"], { onSent }, refuse("b", new Error("gone"))), /gone/);
});
