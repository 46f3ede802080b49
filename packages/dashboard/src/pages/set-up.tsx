import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "../api/fault.ts";
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
  const [isUsed, setUsed] = useState(false);
  const finish = async (credentials: Credentials) => {
    try {
      await completeSetUp({ token: token ?? "", ...credentials });
    } catch (error) {
      // It names the member of the request that is at fault.
      if (!messageOf(error).startsWith("token: ")) throw error;
      return setUsed(true);
    }
    await startSession(queryClient);
    await navigate({ to: "/projects", replace: true });
  };
  return (
    <SignPage
      title="Set up your account"
      intro="Choose the e-mail address and the password with which you will sign in. This link works once."
      foot={
        <>
          Already have a password? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      {token === null ? (
        <Notice kind="bad">
          This link is incomplete. Copy the whole link that the service printed when it started.
        </Notice>
      ) : isUsed ? (
        <Notice kind="bad">
          This link has already been used, has expired or is incomplete. The operator of the service can make
          a new one with <code>kcs-server reset-link</code>.
        </Notice>
      ) : (
        <CredentialsForm action="Save and sign in" isNew onSubmit={finish} />
      )}
    </SignPage>
  );
}
