import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { chooseTheme, storedTheme, themes } from "./theme.ts";

const icons = { system: Monitor, light: Sun, dark: Moon };

/** Switches between system theme, light and dark. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme);
  const Icon = icons[theme];
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
  const step = () => {
    chooseTheme(next);
    setTheme(next);
  };
  return (
    <Button variant="quiet" size="icon" aria-label={`Theme: ${theme}. Switch to ${next}`} onPress={step}>
      <Icon aria-hidden size={16} />
    </Button>
  );
}
