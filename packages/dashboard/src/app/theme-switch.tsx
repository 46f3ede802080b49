import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "../components/button.tsx";
import { chooseTheme, isSystemDark, nextTheme, onSystemTheme, onThemeChosen, storedTheme } from "./theme.ts";

const icons = { system: Monitor, light: Sun, dark: Moon };

/** Switches between system theme, light and dark. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(onThemeChosen, storedTheme);
  const Icon = icons[theme];
  const next = nextTheme(theme, useSyncExternalStore(onSystemTheme, isSystemDark));
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={`Theme: ${theme}. Switch to ${next}`}
      onPress={() => chooseTheme(next)}
    >
      <Icon aria-hidden size={16} />
    </Button>
  );
}
