import { Expand, Shrink } from "lucide-react";
import { Button } from "../../../components/button.tsx";

/** Shows the map without the rest of the page, and with it again. */
export function ScreenButton({
  isAlone,
  onChange,
}: {
  readonly isAlone: boolean;
  readonly onChange: (isAlone: boolean) => void;
}) {
  const Icon = isAlone ? Shrink : Expand;
  return (
    <Button
      size="icon"
      variant="quiet"
      aria-label={isAlone ? "Leave full screen" : "Full screen"}
      onPress={() => onChange(!isAlone)}
    >
      <Icon aria-hidden size={16} />
    </Button>
  );
}
