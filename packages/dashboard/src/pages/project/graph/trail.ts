/** How many steps back are within the graph: Esc goes back as long as there are some. */
declare module "@tanstack/react-router" {
  interface HistoryState {
    trail?: number;
  }
}

export const maxTrail = 1_000;
