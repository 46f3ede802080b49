import type { ReactNode } from "react";
import { EmptyState } from "./empty-state.tsx";

/** In place of a page whose data cannot be read, because the service does not answer: what will happen. */
export function Unreachable({ action }: { readonly action?: ReactNode }) {
  return (
    <EmptyState title="The service cannot be reached" action={action}>
      This page connects again by itself, and shows what is missing as soon as the service answers. Is it
      running, and is this machine online?
    </EmptyState>
  );
}
