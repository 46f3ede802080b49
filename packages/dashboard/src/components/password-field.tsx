import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Button } from "./button.tsx";
import styles from "./password-field.module.css";
import { TextField, type TextFieldProps } from "./text-field.tsx";

/** A password, which can be shown. */
export function PasswordField({ label, ...props }: Omit<TextFieldProps, "type" | "rows">) {
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div className={styles.password}>
      <TextField {...props} label={label} type={isShown ? "text" : "password"} spellCheck="false" />
      <div className={styles.show}>
        <Button size="small" variant="quiet" onPress={() => setShown(!isShown)}>
          <Icon aria-hidden size={14} /> {isShown ? "Hide" : "Show"}
          <span className="visually-hidden"> the {label.toLowerCase()}</span>
        </Button>
      </div>
    </div>
  );
}
