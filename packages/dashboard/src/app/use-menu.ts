import { useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";

export interface Menu {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
  /** The element that contains the button and the menu. */
  readonly area: RefObject<HTMLElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
}

/** State of the menu on narrow screens. Escape, a press outside and a change of the page close it. */
export function useMenu(): Menu {
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { href } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes.
  useEffect(() => setOpen(false), [href]);
  useEffect(() => {
    if (!isOpen) return;
    const closeOnEscape = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    const closeOnPressOutside = ({ target }: PointerEvent) => {
      if (!(target instanceof Node) || area.current?.contains(target) !== true) setOpen(false);
    };
    document.addEventListener("keydown", closeOnEscape);
    document.addEventListener("pointerdown", closeOnPressOutside);
    return () => {
      document.removeEventListener("keydown", closeOnEscape);
      document.removeEventListener("pointerdown", closeOnPressOutside);
    };
  }, [isOpen]);
  return {
    isOpen,
    area,
    button,
    toggle: () => setOpen((before) => !before),
    close: () => setOpen(false),
  };
}
