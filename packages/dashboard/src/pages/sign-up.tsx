import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { isSignUpOpen, signUp, takeOver } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { Notice } from "../components/notice.tsx";
import { SignPage } from "../components/sign-page.tsx";

export function SignUpPage() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const enter = async (credentials: Credentials) => {
    await signUp(credentials);
    await takeOver(queryClient);
    await navigate({ to: "/projects", replace: true });
  };
  return (
    <SignPage
      title="Create an account"
      intro="Your projects, documents and API keys are seen by you alone."
      foot={
        <>
          You have one already? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      {isSignUpOpen() ? (
        <CredentialsForm action="Create the account" isNew onSubmit={enter} />
      ) : (
        <Notice kind="warn">
          This service does not let people create accounts of their own. Whoever runs it can change that with{" "}
          <code>KCS_SIGN_UP=open</code>.
        </Notice>
      )}
    </SignPage>
  );
}
