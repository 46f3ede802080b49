/** The page that stands in for the dashboard until it is built, or because it cannot be. */
import { createHash } from "node:crypto";

/** A number of seconds, also for programs that ask. */
export const retrySeconds = 1;

/**
 * Reloads the page when there is another one. Not `<meta http-equiv="refresh">`: that does not reload an address with a
 * fragment, as that of the one-time link is.
 */
const script = `
function look() {
  fetch(location.pathname, { cache: "no-store" })
    .then(({ status }) => (status === 503 ? wait() : location.reload()), wait);
}
function wait() {
  setTimeout(look, ${retrySeconds * 1000});
}
wait();
`;

const style = `
body { max-width: 34rem; margin: 15vh auto 0; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; color: #1a1d21; background: #fff; }
h1 { font-size: 1.25rem; }
@media (prefers-color-scheme: dark) { body { color: #e6e8ea; background: #14171a; } }
`;

export interface WaitingPage {
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** `fault` says why the dashboard cannot be built; null while it is being built. */
export function waitingPage(fault: string | null): WaitingPage {
  const scripts = fault === null ? `<script>${script}</script>` : "";
  return {
    html:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><title>Knowledge Context Service</title>` +
      `<style>${style}</style></head><body><main>${fault === null ? building : faulty(fault)}</main>${scripts}</body></html>`,
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src '${hashOf(script)}'`,
      `style-src '${hashOf(style)}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
}

const building =
  "<h1>The dashboard is being built</h1>" +
  "<p>The service does this once after an installation or an update. It takes less than a minute, on a slow machine a few.</p>" +
  "<p>This page opens the dashboard when it is ready.</p>" +
  "<noscript><p>Without JavaScript, reload this page yourself. The dashboard needs JavaScript.</p></noscript>";

function faulty(fault: string): string {
  return `<h1>The dashboard is not available</h1><p>${escapeHtml(fault)}</p>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
