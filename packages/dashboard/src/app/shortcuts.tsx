import { Search } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
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
  // What is typed while the code of the palette is loaded; null: it is not being waited for.
  const early = useRef<string | null>(null);
  const close = () => {
    early.current = null;
    setOpen(null);
  };
  const openPalette = () => {
    early.current = "";
    setOpen("palette");
  };
  const takeEarly = () => {
    const text = early.current ?? "";
    early.current = null;
    return text;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions only use the reference and the state.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        if (open === "palette") close();
        else openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") setOpen("sheet");
      if (event.key === "/" && focusSearch()) event.preventDefault();
    };
    const onEarly = (event: KeyboardEvent) => {
      if (early.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
      // Not into the field that has the focus.
      event.preventDefault();
      event.stopPropagation();
      early.current = typedOn(early.current, event.key);
      if (early.current === null) close();
    };
    document.addEventListener("keydown", onKey);
    document.addEventListener("keydown", onEarly, true);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("keydown", onEarly, true);
    };
  }, [open]);
  const leave = useSignOut();
  const perform = (command: Command) => {
    if (command === "shortcuts") setOpen("sheet");
    else if (command === "reference") window.location.assign(serviceUrl("docs"));
    else if (command === "sign-out") void leave();
    else chooseTheme(command);
  };
  return (
    <>
      <button type="button" className={styles.open} onClick={openPalette}>
        <Search aria-hidden size={16} /> Go to <kbd className={styles.keys}>Ctrl K</kbd>
      </button>
      <Suspense>
        {open === "palette" && <Palette takeEarly={takeEarly} onClose={close} onCommand={perform} />}
        {open === "sheet" && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}

/** A text after a key; null after Esc. */
function typedOn(text: string, key: string): string | null {
  if (key === "Escape") return null;
  if (key === "Backspace") return [...text].slice(0, -1).join("");
  return [...key].length === 1 ? text + key : text;
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
