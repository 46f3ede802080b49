import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "./button.tsx";
import { FaultNotice } from "./fault-notice.tsx";
import { PasswordField } from "./password-field.tsx";
import { TextField } from "./text-field.tsx";

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A form for e-mail address and password. The service's error is shown above the button. */
export function CredentialsForm({
  action,
  isNew,
  email: given = "",
  onSubmit,
}: {
  readonly action: string;
  /** True when the user chooses a new password. */
  readonly isNew: boolean;
  /** What the form begins with. */
  readonly email?: string | undefined;
  readonly onSubmit: (credentials: Credentials) => Promise<unknown>;
}) {
  const [email, setEmail] = useState(given);
  const [password, setPassword] = useState("");
  const sending = useMutation({ mutationFn: onSubmit });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate({ email, password });
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label="E-mail address"
        type="email"
        name="email"
        autoComplete="username"
        isRequired
        autoFocus={given === ""}
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete={isNew ? "new-password" : "current-password"}
        isRequired
        autoFocus={given !== ""}
        value={password}
        onChange={setPassword}
        {...(isNew ? { hint: "At least 10 characters.", minLength: 10 } : {})}
      />
      <FaultNotice error={sending.error} />
      <Button type="submit" variant="primary" isPending={sending.isPending}>
        {action}
      </Button>
    </form>
  );
}
