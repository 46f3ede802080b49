import { useSyncExternalStore } from "react";

/** Whether the page uses the dark theme, by its own setting or that of the system. */
export function useDark(): boolean {
  return useSyncExternalStore(subscribe, isDark);
}

function subscribe(onChange: () => void): () => void {
  const media = window.matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(onChange);
  media.addEventListener("change", onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    media.removeEventListener("change", onChange);
    observer.disconnect();
  };
}

function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  if (theme !== undefined) return theme === "dark";
  return window.matchMedia("(prefers-color-scheme: dark)").matches;
}
