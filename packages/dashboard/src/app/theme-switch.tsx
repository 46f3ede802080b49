import { Monitor, Moon, Sun } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../components/button.tsx";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const storageKey = "kcs-theme";
const icons = { system: Monitor, light: Sun, dark: Moon };

function storedTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? "system";
}

/** Steps through the system's theme, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(storageKey, theme);
  }, [theme]);
  const Icon = icons[theme];
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={`Theme: ${theme}. Switch to ${next}`}
      onPress={() => setTheme(next)}
    >
      <Icon aria-hidden size={16} />
    </Button>
  );
}
