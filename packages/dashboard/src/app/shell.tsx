import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  ChartColumn,
  CircleUserRound,
  FolderOpen,
  KeyRound,
  LogOut,
  Network,
  Shapes,
} from "lucide-react";
import { serviceUrl } from "../api/address.ts";
import { sessionQuery, signOut } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import styles from "./shell.module.css";
import { ThemeSwitch } from "./theme-switch.tsx";

const places = [
  { to: "/projects", label: "Projects", icon: FolderOpen },
  { to: "/ontologies", label: "Ontologies", icon: Shapes },
  { to: "/api-keys", label: "API keys", icon: KeyRound },
  { to: "/usage", label: "Usage", icon: ChartColumn },
] as const;

/** Navigation at the side, at the foot on a phone; the page beside it. */
export function Shell() {
  return (
    <div className={styles.shell}>
      <SkipButton />
      <header className={styles.side}>
        <p className={styles.brand}>
          <Network aria-hidden size={18} /> Knowledge Context
        </p>
        <nav aria-label="Main" className={styles.nav}>
          {places.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              className={styles.place ?? ""}
              activeProps={{ className: styles.here ?? "" }}
            >
              <Icon aria-hidden size={16} /> {label}
            </Link>
          ))}
          <a href={serviceUrl("docs")} className={styles.place}>
            <BookOpen aria-hidden size={16} /> API reference
          </a>
        </nav>
        <Account />
      </header>
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

/** A link to `#page` would lead to the page's base instead. */
function SkipButton() {
  return (
    <button type="button" className={styles.skip} onClick={() => document.getElementById("page")?.focus()}>
      Skip to the page
    </button>
  );
}

function Account() {
  const { data: session } = useQuery(sessionQuery);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = async () => {
    await signOut();
    queryClient.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <div className={styles.account}>
      <Link to="/account" className={styles.who ?? ""} title="Your account">
        <CircleUserRound aria-hidden size={16} />
        <span className={styles.email}>{session?.user.email ?? "Your account"}</span>
      </Link>
      <ThemeSwitch />
      <Button variant="quiet" size="icon" aria-label="Sign out" onPress={() => void leave()}>
        <LogOut aria-hidden size={16} />
      </Button>
    </div>
  );
}
