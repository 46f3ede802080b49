import { Link } from "@tanstack/react-router";
import { SignPage } from "../components/sign-page.tsx";

export function NotFoundPage() {
  return (
    <SignPage title="There is nothing here" intro="The address may be mistyped, or what was here is gone.">
      <Link to="/projects">To your projects</Link>
    </SignPage>
  );
}
