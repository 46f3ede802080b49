import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";

const confirmationMs = 2_000;

/** Copies a text to the clipboard and confirms it for `confirmationMs`. */
export function CopyButton({
  text,
  label = "Copy",
  isQuiet = false,
}: {
  readonly text: string;
  readonly label?: string;
  /** Beside what matters more. */
  readonly isQuiet?: boolean;
}) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), confirmationMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    copyText(text).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  const caption = { idle: label, copied: "Copied", refused: "Copying failed: select the text and copy it" }[
    state
  ];
  return (
    <Button size="small" variant={isQuiet ? "quiet" : "secondary"} onPress={() => void copy()}>
      {state === "copied" ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      <span aria-live="polite">{caption}</span>
    </Button>
  );
}
