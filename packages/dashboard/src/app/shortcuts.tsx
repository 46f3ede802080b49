import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import { serviceUrl } from "../api/address.ts";
import type { Command } from "./palette/places.ts";
import { patient } from "./patient-import.ts";
import styles from "./shortcuts.module.css";
import { chooseTheme } from "./theme.ts";
import { useSignOut } from "./use-sign-out.ts";

const Palette = lazy(patient(async () => ({ default: (await import("./palette/palette.tsx")).Palette })));
const ShortcutSheet = lazy(
  patient(async () => ({ default: (await import("./shortcut-sheet.tsx")).ShortcutSheet })),
);

/** What keys do on every page, and the button for the first of them. A key without Ctrl does it only where nobody types. */
export function Shortcuts() {
  const [open, setOpen] = useState<"palette" | "sheet" | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setOpen((before) => (before === "palette" ? null : "palette"));
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") setOpen("sheet");
      if (event.key === "/" && focusSearch()) event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const close = () => setOpen(null);
  const leave = useSignOut();
  const perform = (command: Command) => {
    if (command === "shortcuts") setOpen("sheet");
    else if (command === "reference") window.location.assign(serviceUrl("docs"));
    else if (command === "sign-out") void leave();
    else chooseTheme(command);
  };
  return (
    <>
      <button type="button" className={styles.open} onClick={() => setOpen("palette")}>
        <Search aria-hidden size={16} /> Go to <kbd className={styles.keys}>Ctrl K</kbd>
      </button>
      <Suspense>
        {open === "palette" && <Palette onClose={close} onCommand={perform} />}
        {open === "sheet" && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable], [role=dialog]") !== null
  );
}

/** False where the page has no such field. */
function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>('main textarea, main input[type="search"], main input');
  field?.focus();
  return field !== null;
}
