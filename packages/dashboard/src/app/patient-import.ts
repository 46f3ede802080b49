import { connection } from "../api/connection.ts";
import { missingStyles } from "./missing-styles.ts";

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
      await missingStyles.load();
      return load().catch(() => reload(error));
    }
  };
}

/** Not again within a time: a file that is never there would load the window without an end. */
function reload(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(reloadedKey));
  if (Date.now() - last < reloadPauseMs) throw error;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  window.location.reload();
  return new Promise(() => undefined);
}
