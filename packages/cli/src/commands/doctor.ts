import { stat } from "node:fs/promises";
import { type Command, type Context, keyOf, noPositionals, urlOf } from "../command.ts";
import { describeError, EXIT } from "../exit-codes.ts";
import { settingsPath } from "../settings.ts";
import { oneLine, styleOf } from "../terminal/style.ts";
import { printJson } from "./print-json.ts";

const TIMEOUT_MS = 10_000;
const MAX_CLOCK_DIFFERENCE_S = 60;

interface Finding {
  readonly check: string;
  readonly isSound: boolean;
  readonly text: string;
}

export const doctor: Command = {
  name: "doctor",
  summary: "Checks the address, the key, the versions, the readiness of the service and the clock",
  usage: [""],
  options: {},
  async run(context) {
    noPositionals(context.positionals);
    const url = urlOf(context.io, context.stored, context.options);
    const health = await checkHealth(url);
    const findings: Finding[] = [await checkSettings(context), ...health.findings];
    if (health.isReached) {
      findings.push(await checkReadiness(url), await checkVersion(url), await checkKey(context));
      if (keyOf(context.io, context.stored) !== null) findings.push(await checkProject(context));
    }
    const isSound = findings.every((finding) => finding.isSound);
    if (context.options.flag("json")) await printJson(context.io, findings);
    else await show(context, findings);
    return isSound ? EXIT.ok : EXIT.failed;
  },
};

async function show({ io }: Context, findings: readonly Finding[]): Promise<void> {
  const style = styleOf(io.outTerminal);
  for (const { check, isSound, text } of findings) {
    const mark = isSound ? style.good("ok  ") : style.bad("FAIL");
    await io.out(`${mark}  ${check.padEnd(9)}  ${oneLine(text)}\n`);
  }
}

async function checkSettings({ io }: Context): Promise<Finding> {
  const path = settingsPath(io.env);
  const found = await stat(path).catch(() => null);
  if (found === null)
    return { check: "settings", isSound: true, text: `${path} does not exist yet; kcs login creates it` };
  const isPrivate = process.platform === "win32" || (found.mode & 0o077) === 0;
  return {
    check: "settings",
    isSound: isPrivate,
    text: isPrivate ? path : `${path} can be read by others. Run: chmod 600 ${path}`,
  };
}

async function checkHealth(
  url: string,
): Promise<{ readonly isReached: boolean; readonly findings: readonly Finding[] }> {
  const beganMs = performance.now();
  try {
    const response = await get(`${url}/health`);
    const tookMs = Math.round(performance.now() - beganMs);
    await response.body?.cancel();
    if (!response.ok) {
      const text = `${url} answers ${response.status}: is it the address of the service?`;
      return { isReached: false, findings: [{ check: "service", isSound: false, text }] };
    }
    return {
      isReached: true,
      findings: [
        { check: "service", isSound: true, text: `${url} answers in ${tookMs} ms` },
        clockFinding(response.headers.get("date")),
      ],
    };
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    const text = `${url} cannot be reached (${reason}). Is the service running? kcs login URL stores another address.`;
    return { isReached: false, findings: [{ check: "service", isSound: false, text }] };
  }
}

function clockFinding(date: string | null): Finding {
  const serviceTimeMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serviceTimeMs))
    return { check: "clock", isSound: true, text: "not checked: the service sends no date" };
  const differenceS = Math.round((Date.now() - serviceTimeMs) / 1000);
  const isSound = Math.abs(differenceS) <= MAX_CLOCK_DIFFERENCE_S;
  const text = isSound
    ? "agrees with the service's clock"
    : `this machine's clock is ${Math.abs(differenceS)} s ${differenceS > 0 ? "ahead of" : "behind"} the service's clock`;
  return { check: "clock", isSound, text };
}

async function checkReadiness(url: string): Promise<Finding> {
  const response = await get(`${url}/ready`);
  const text = await response.text();
  if (response.ok) return { check: "ready", isSound: true, text: "the service is ready" };
  return { check: "ready", isSound: false, text: `not ready: ${text.slice(0, 300)}` };
}

async function checkVersion(url: string): Promise<Finding> {
  const response = await get(`${url}/openapi.json`);
  const version = response.ok ? versionOf(await response.text()) : null;
  if (version === null) {
    return {
      check: "version",
      isSound: false,
      text: "the service does not report its version; it is older than this command",
    };
  }
  return { check: "version", isSound: true, text: `API ${version}, Node ${process.versions.node} here` };
}

function versionOf(text: string): string | null {
  // The member is checked before it is used.
  const document = JSON.parse(text) as { readonly info?: { readonly version?: unknown } };
  return typeof document.info?.version === "string" ? document.info.version : null;
}

async function checkKey(context: Context): Promise<Finding> {
  try {
    await context.client({ maxRetries: 0 }).projects.list({ limit: 1 }, { signal: context.io.signal });
    return { check: "key", isSound: true, text: "is valid" };
  } catch (error) {
    return { check: "key", isSound: false, text: describeError(error) };
  }
}

async function checkProject(context: Context): Promise<Finding> {
  const id = context.options.text("project") ?? context.io.env["KCS_PROJECT"] ?? context.stored.project;
  if (id === undefined || id === "") {
    return { check: "project", isSound: true, text: "none is selected; kcs projects use ID selects one" };
  }
  try {
    const client = context.client({ maxRetries: 0 });
    const { name } = await client.projects.get(id, { signal: context.io.signal });
    return { check: "project", isSound: true, text: `${name} (${id})` };
  } catch (error) {
    return { check: "project", isSound: false, text: describeError(error) };
  }
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
}
