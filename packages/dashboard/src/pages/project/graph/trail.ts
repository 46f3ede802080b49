/** How many steps back are within the graph: Esc goes back as long as there are some. */
declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The page before is an answer. */
    readonly isFromAnswer?: true;
    trail?: number;
  }
}

/** Of a change of the address in place. */
export function keptState<State extends object>(state: State): State {
  return { ...state };
}

export const maxTrail = 1_000;
