import { useSyncExternalStore } from "react";
import { isSystemDark, onSystemTheme } from "../../../app/theme.ts";

/** Whether the page uses the dark theme, by its own setting or that of the system. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark);
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  const end = onSystemTheme(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    end();
    observer.disconnect();
  };
}

function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  if (theme !== undefined) return theme === "dark";
  return isSystemDark();
}
