import { useQueryClient } from "@tanstack/react-query";
import { useRouter, useSearch } from "@tanstack/react-router";
import { sessionQuery, signIn } from "../api/session.ts";
import { type Credentials, CredentialsForm } from "../components/credentials-form.tsx";
import { SignPage } from "../components/sign-page.tsx";

export function SignInPage() {
  const { next } = useSearch({ from: "/sign-in" });
  const router = useRouter();
  const queryClient = useQueryClient();
  const enter = async (credentials: Credentials) => {
    await signIn(credentials);
    await queryClient.invalidateQueries(sessionQuery);
    router.history.push(next ?? router.buildLocation({ to: "/projects" }).href);
  };
  return (
    <SignPage title="Sign in" intro="To your projects, ontologies and API keys.">
      <CredentialsForm action="Sign in" isNew={false} onSubmit={enter} />
    </SignPage>
  );
}
