/** The colour theme: that of the system, or the one chosen in this browser. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "kcs-theme";
const changed = "kcs-theme-chosen";

export function storedTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? "system";
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme);
  applyTheme(theme);
  window.dispatchEvent(new Event(changed));
}

/** Calls back after each choice in this window. Returns what ends that. */
export function onThemeChosen(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  return () => window.removeEventListener(changed, listener);
}
