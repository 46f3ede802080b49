import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";

export interface Menu {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Around the button and what it opens. */
  readonly area: RefObject<HTMLElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** Links that a button shows where there is no room for them; Escape, a press elsewhere and another page hide them again. */
export function useMenu(): Menu {
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { href } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page.
  useEffect(() => setOpen(false), [href]);
  useEffect(() => {
    if (!isOpen) return;
    const hideByKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const hideByPress = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || area.current?.contains(target) !== true) setOpen(false);
    };
    document.addEventListener("keydown", hideByKey);
    document.addEventListener("pointerdown", hideByPress);
    return () => {
      document.removeEventListener("keydown", hideByKey);
      document.removeEventListener("pointerdown", hideByPress);
    };
  }, [isOpen]);
  return {
    ...{ isOpen, area, button },
    toggle: () => setOpen((before) => !before),
    close: () => setOpen(false),
  };
}
