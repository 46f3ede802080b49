import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../api/fault.ts";
import { changePassword, sessionQuery } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { FaultNotice } from "../components/fault-notice.tsx";
import formStyles from "../components/form.module.css";
import { Notice } from "../components/notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PasswordField } from "../components/password-field.tsx";
import { Section } from "../components/section.tsx";
import styles from "./account.module.css";

/** The message of the accounts library for a wrong current password. */
const wrongPassword = "Invalid password";

export function AccountPage() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      <PageHeader title="Account" description={`Signed in as ${session?.user.email ?? "…"}`} />
      <div className={styles.page}>
        <Section
          title="Password"
          description="Changing it signs out every other browser. API keys remain valid."
        >
          <Card>
            <PasswordForm />
          </Card>
        </Section>
      </div>
    </>
  );
}

function PasswordForm() {
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");
  const changing = useMutation({
    mutationFn: changePassword,
    onSuccess() {
      setCurrent("");
      setNew("");
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    changing.mutate({ currentPassword, newPassword });
  };
  return (
    <form onSubmit={submit} className={formStyles.form}>
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        isRequired
        value={currentPassword}
        onChange={setCurrent}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 10 characters."
        minLength={10}
        isRequired
        value={newPassword}
        onChange={setNew}
      />
      {messageOf(changing.error) === wrongPassword ? (
        <Notice kind="bad">That is not your current password.</Notice>
      ) : (
        <FaultNotice error={changing.error} />
      )}
      {changing.isSuccess && <Notice kind="good">The password has been changed.</Notice>}
      <Button type="submit" variant="primary" isPending={changing.isPending}>
        Change the password
      </Button>
    </form>
  );
}
