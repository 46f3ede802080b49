import { useLocation, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useRef } from "react";
import type { GraphAddress } from "./graph-address.ts";
import { keptState, maxTrail } from "./trail.ts";

export interface GraphSteps {
  readonly address: GraphAddress;
  /** A new entry of the history, which Back and Esc undo. */
  readonly go: (address: GraphAddress) => void;
  /** Changes the address in place. */
  readonly adjust: (address: GraphAddress) => void;
  readonly choose: (entityId: string) => void;
  /** Shows the sentences of a line of the drawing. */
  readonly chooseLine: (edgeId: string) => void;
  /** Draws the neighbourhood of a further entity, or takes it away. */
  readonly toggle: (entityId: string) => void;
  /** Shows a path from the chosen entity to another one. */
  readonly findPath: (to: string) => void;
  /** Undoes the last step, or shows the overview. */
  readonly back: () => void;
}

export function useGraphSteps(): GraphSteps {
  const address = useSearch({ from: "/signed-in/projects/$projectId/graph" });
  const navigate = useNavigate({ from: "/projects/$projectId/graph" });
  const { history } = useRouter();
  const trail = useLocation({ select: ({ state }) => state.trail ?? 0 });
  const go = (search: GraphAddress) =>
    void navigate({ search, state: { trail: Math.min(trail + 1, maxTrail) } });
  const kept = keptOf(address);
  const { line, ...withoutLine } = address;
  // A path has places of its own.
  const { pins, ...withoutPins } = address;
  return {
    address,
    go,
    adjust: (search) => void navigate({ search, replace: true, resetScroll: false, state: keptState }),
    choose(entity) {
      const isThere = entity === address.entity && address.to === undefined && address.line === undefined;
      if (!isThere) go({ ...kept, entity });
    },
    chooseLine(line) {
      if (line !== address.line) go({ ...address, line });
    },
    toggle(entityId) {
      const { open = [] } = address;
      const others = open.filter((id) => id !== entityId);
      const { open: _before, ...rest } = address;
      const opened = others.length < open.length ? others : [...open, entityId];
      go(opened.length === 0 ? rest : { ...rest, open: opened });
    },
    findPath: (to) => go({ ...withoutPins, to }),
    back: () => (trail > 0 ? history.back() : go(line === undefined ? kept : withoutLine)),
  };
}

/** What stays when another entity is chosen. */
export function keptOf({ view, size, without, withoutLinks, document, asOf }: GraphAddress): GraphAddress {
  return {
    ...(view === "map" ? { view } : {}),
    ...(size === undefined ? {} : { size }),
    ...(without === undefined ? {} : { without }),
    ...(withoutLinks === undefined ? {} : { withoutLinks }),
    ...(document === undefined ? {} : { document }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

/** Esc outside of fields and of what closes itself with it. */
export function useEscape(onEscape: () => void): void {
  const latest = useRef(onEscape);
  latest.current = onEscape;
  const listen = useCallback((event: KeyboardEvent) => {
    const isElsewhere =
      event.target instanceof Element &&
      event.target.closest("input, textarea, select, [role=dialog], [role=listbox], [role=menu]") !== null;
    if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) latest.current();
  }, []);
  useEffect(() => {
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [listen]);
}
