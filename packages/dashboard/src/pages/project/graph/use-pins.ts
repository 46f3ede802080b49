import { useMemo, useRef } from "react";
import { readPins, withPin, writePins } from "./pins.ts";
import type { Position, Positions } from "./radial-layout.ts";
import type { GraphSteps } from "./use-graph-steps.ts";

export interface Pins {
  readonly pins: Positions;
  readonly pin: (id: string, position: Position) => void;
  readonly letGo: () => void;
}

/** The entities of a view that stay where they were dragged to. The address has the latest; the page keeps the others until it shows another view. */
export function usePins({ address, adjust }: GraphSteps): Pins {
  const { pins: text = "", ...rest } = address;
  const kept = useRef<{ readonly text: string; readonly pins: Positions } | null>(null);
  const pins = useMemo(() => (kept.current?.text === text ? kept.current.pins : readPins(text)), [text]);
  return {
    pins,
    pin(id, position) {
      const next = withPin(pins, id, position);
      kept.current = { text: writePins(next), pins: next };
      adjust({ ...rest, pins: kept.current.text });
    },
    letGo: () => adjust(rest),
  };
}
