import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isUnreachable, messageOf, statusOf } from "../api/fault.ts";
import { Button } from "./button.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Unreachable } from "./unreachable.tsx";

/** Replaces a page that could not be loaded: says why and what to do. */
export function PageFault({
  error,
  wayBack = <Link to="/projects">Back to your projects</Link>,
}: {
  readonly error: unknown;
  /** From what does not exist any more. */
  readonly wayBack?: ReactNode;
}) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const status = statusOf(error);
  const isGone = status === 404 || status === 403;
  const retry = async () => {
    await queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
    await router.invalidate();
  };
  const again = <Button onPress={() => void retry()}>Try again</Button>;
  if (isUnreachable(error)) return <Unreachable action={again} />;
  return (
    <EmptyState
      title={isGone ? "This does not exist any more" : "This page could not be loaded"}
      action={isGone ? wayBack : again}
    >
      {messageOf(error)}
    </EmptyState>
  );
}
