import { Link, useNavigate } from "@tanstack/react-router";
import { isSignUpOpen, signUp } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { Notice } from "../components/notice.tsx";
import { SignPage } from "../components/sign-page.tsx";

export function SignUpPage() {
  const navigate = useNavigate();
  const enter = async (credentials: Credentials) => {
    await signUp(credentials);
    await navigate({
      to: "/sign-in",
      search: { isNew: true },
      state: { email: credentials.email },
      replace: true,
    });
  };
  return (
    <SignPage
      title="Create an account"
      intro="Only you can see your projects, documents and API keys."
      foot={
        <>
          Already have an account? <Link to="/sign-in">Sign in</Link>
        </>
      }
    >
      {isSignUpOpen() ? (
        <CredentialsForm action="Create the account" isNew onSubmit={enter} />
      ) : (
        <Notice kind="warn">
          New accounts are disabled on this service. Its operator can enable them with{" "}
          <code>KCS_SIGN_UP=open</code>.
        </Notice>
      )}
    </SignPage>
  );
}
