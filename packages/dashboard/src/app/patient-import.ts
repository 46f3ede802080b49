import { connection } from "../api/connection.ts";

const reloadedKey = "kcs-reloaded-at";
const reloadPauseMs = 30_000;

/**
 * Loads the code of a page. Where it cannot be loaded, because the service is gone, the page waits for it. Where the service has other files
 * by then, the window is loaded again.
 */
export function patient<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      await connection.whenBack();
      await loadStylesAgain();
      return load().catch(() => reload(error));
    }
  };
}

/** The loader asks for each style sheet once, whether it arrives or not. */
async function loadStylesAgain(): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  const missing = links.filter(({ sheet }) => sheet === null);
  await Promise.all(missing.map((link) => loadAgain(link)));
}

function loadAgain(link: HTMLLinkElement): Promise<void> {
  return new Promise((resolve) => {
    const again = document.createElement("link");
    again.rel = "stylesheet";
    again.href = link.href;
    // A page without its styles is better than none.
    again.onload = () => resolve();
    again.onerror = () => resolve();
    link.replaceWith(again);
  });
}

/** Not again within a time: a file that is never there would load the window without an end. */
function reload(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedKey));
  if (Date.now() - last < reloadPauseMs) throw error;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  window.location.reload();
  return new Promise(() => undefined);
}
