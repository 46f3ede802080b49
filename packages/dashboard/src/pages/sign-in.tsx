import { useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useRouter, useSearch } from "@tanstack/react-router";
import { isSignUpOpen, signIn, startSession } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { Notice } from "../components/notice.tsx";
import { SignPage } from "../components/sign-page.tsx";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Of the account that was made just now. */
    email?: string;
  }
}

export function SignInPage() {
  const { next, isNew } = useSearch({ from: "/sign-in" });
  const { email } = useLocation().state;
  const router = useRouter();
  const queryClient = useQueryClient();
  const enter = async (credentials: Credentials) => {
    await signIn(credentials);
    await startSession(queryClient);
    router.history.push(next ?? router.buildLocation({ to: "/projects" }).href);
  };
  return (
    <SignPage
      title="Sign in"
      intro="Sign in to see your projects, ontologies and API keys."
      foot={
        isSignUpOpen() ? (
          <>
            New here? <Link to="/sign-up">Create an account</Link>
          </>
        ) : (
          <>
            For the first visit, open the link that the service prints when it starts. If you lost the
            password, stop the service and run <code>npx kcs-server reset-link</code>: it prints a new link.
          </>
        )
      }
    >
      {isNew === true && (
        <Notice kind="good">
          If this e-mail address was new, its account is ready. If it already had one, that is unchanged: sign
          in with its password.
        </Notice>
      )}
      <CredentialsForm action="Sign in" isNew={false} email={email} onSubmit={enter} />
    </SignPage>
  );
}
