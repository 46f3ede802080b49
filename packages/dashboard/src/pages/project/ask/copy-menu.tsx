import { Check, ChevronDown, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { Button } from "../../../components/button.tsx";
import { copyText } from "../../../components/copy-text.ts";
import selectStyles from "../../../components/select.module.css";

const confirmationMs = 2_000;

export interface CopyForm {
  readonly id: string;
  readonly label: string;
  readonly text: () => string;
}

/** Copies something in one of several forms, and confirms it. */
export function CopyMenu({ forms }: { readonly forms: readonly CopyForm[] }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return;
    const timer = setTimeout(() => setState("idle"), confirmationMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (id: string) => {
    const form = forms.find((one) => one.id === id);
    if (form === undefined) return;
    copyText(form.text()).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  };
  return (
    <MenuTrigger>
      <Button size="small" variant="quiet">
        {state === "copied" ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
        <span aria-live="polite">{{ idle: "Copy", copied: "Copied", refused: "Copying failed" }[state]}</span>
        <ChevronDown aria-hidden size={14} />
      </Button>
      <Popover className={selectStyles.popover ?? ""} placement="bottom end">
        <Menu className={selectStyles.list ?? ""} onAction={(id) => copy(String(id))}>
          {forms.map(({ id, label }) => (
            <MenuItem key={id} id={id} className={selectStyles.option ?? ""}>
              {label}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
