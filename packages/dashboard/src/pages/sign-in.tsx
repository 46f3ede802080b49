import { useQueryClient } from "@tanstack/react-query";
import { Link, useRouter, useSearch } from "@tanstack/react-router";
import { isSignUpOpen, signIn, takeOver } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { SignPage } from "../components/sign-page.tsx";

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const queryClient = useQueryClient();
  const enter = async (credentials: Credentials) => {
    await signIn(credentials);
    await takeOver(queryClient);
    router.history.push(next ?? router.buildLocation({ to: "/projects" }).href);
  };
  return (
    <SignPage
      title="Sign in"
      intro="To your projects, ontologies and API keys."
      foot={
        isSignUpOpen() ? (
          <>
            New here? <Link to="/sign-up">Create an account</Link>
          </>
        ) : (
          "The first visit starts with the link that the service prints where it was started."
        )
      }
    >
      <CredentialsForm action="Sign in" isNew={false} onSubmit={enter} />
    </SignPage>
  );
}
