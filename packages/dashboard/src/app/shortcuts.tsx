import { lazy, Suspense, useEffect, useState } from "react";
import { patient } from "./patient-import.ts";

const Palette = lazy(patient(async () => ({ default: (await import("./palette/palette.tsx")).Palette })));
const ShortcutSheet = lazy(
  patient(async () => ({ default: (await import("./shortcut-sheet.tsx")).ShortcutSheet })),
);

/** What keys do on every page. A key without Ctrl does it only where nobody types. */
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
  if (open === null) return null;
  const close = () => setOpen(null);
  return (
    <Suspense>
      {open === "palette" ? <Palette onClose={close} /> : <ShortcutSheet onClose={close} />}
    </Suspense>
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
