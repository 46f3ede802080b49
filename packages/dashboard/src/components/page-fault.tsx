import { useRouter } from "@tanstack/react-router";
import { ApiError } from "../api/request.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";

/** Instead of a page that could not be read: why, and what to do. */
export function PageFault({ error }: { readonly error: unknown }) {
  const router = useRouter();
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <EmptyState
      title={isGone ? "This is not here any more" : "This page could not be read"}
      action={<Button onPress={() => void router.invalidate()}>Try again</Button>}
    >
      {error instanceof Error ? error.message : String(error)}
    </EmptyState>
  );
}
