import { Link } from "@tanstack/react-router";
import { SignPage } from "../components/sign-page.tsx";

export function NotFoundPage() {
  return (
    <SignPage title="Nothing here" intro="The address may be mistyped, or the page may have been removed.">
      <Link to="/projects">Back to your projects</Link>
    </SignPage>
  );
}
