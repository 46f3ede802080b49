import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { completeSetUp, takeOver } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { Notice } from "../components/notice.tsx";
import { SignPage } from "../components/sign-page.tsx";

/** The token stands behind the # of the link, which browsers do not send. */
function tokenOfLink(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get("token");
}

export function SetUpPage() {
  const [token] = useState(tokenOfLink);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const finish = async (credentials: Credentials) => {
    await completeSetUp({ token: token ?? "", ...credentials });
    await takeOver(queryClient);
    await navigate({ to: "/projects", replace: true });
  };
  return (
    <SignPage
      title="Set up your account"
      intro="Choose the e-mail address and the password that you will sign in with. This link works once."
    >
      {token === null ? (
        <Notice kind="bad">
          This link is not complete. Copy the whole link that the service printed when it started.
        </Notice>
      ) : (
        <CredentialsForm action="Save and sign in" isNew onSubmit={finish} />
      )}
    </SignPage>
  );
}
