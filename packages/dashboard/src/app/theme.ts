/** The colour theme: that of the system, or the one chosen in this browser. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const storageKey = "kcs-theme";
const darkMedia = "(prefers-color-scheme: dark)";
const changed = "kcs-theme-chosen";

/** The one after it: from that of the system first to the one that looks different, so that a first press is seen. */
export function nextTheme(theme: Theme, isSystemDark: boolean): Theme {
  const [other, same] = isSystemDark ? (["light", "dark"] as const) : (["dark", "light"] as const);
  if (theme === "system") return other;
  return theme === other ? same : "system";
}

/** Calls back when the system goes to another theme. Returns what ends that. */
export function onSystemTheme(listener: () => void): () => void {
  const media = window.matchMedia(darkMedia);
  media.addEventListener("change", listener);
  return () => media.removeEventListener("change", listener);
}

export function isSystemDark(): boolean {
  return window.matchMedia(darkMedia).matches;
}

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
