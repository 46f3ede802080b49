import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { completeSetUp, startSession } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { Notice } from "../components/notice.tsx";
import { SignPage } from "../components/sign-page.tsx";

/** The token is in the fragment of the link, which browsers do not send to the server. */
function tokenOfLink(): string | null {
  return new URLSearchParams(window.location.hash.slice(1)).get("token");
}

export function SetUpPage() {
  const [token] = useState(tokenOfLink);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const finish = async (credentials: Credentials) => {
    await completeSetUp({ token: token ?? "", ...credentials });
    await startSession(queryClient);
    await navigate({ to: "/projects", replace: true });
  };
  return (
    <SignPage
      title="Set up your account"
      intro="Choose the e-mail address and the password with which you will sign in. This link works once."
    >
      {token === null ? (
        <Notice kind="bad">
          This link is incomplete. Copy the whole link that the service printed when it started.
        </Notice>
      ) : (
        <CredentialsForm action="Save and sign in" isNew onSubmit={finish} />
      )}
    </SignPage>
  );
}
