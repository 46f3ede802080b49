import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import {
  BookOpen,
  Bot,
  ChartColumn,
  CircleUserRound,
  FolderOpen,
  KeyRound,
  LogOut,
  Menu as MenuIcon,
  Network,
  Shapes,
  Webhook,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { serviceUrl } from "../api/address.ts";
import { sessionQuery } from "../api/session.ts";
import { Button } from "../components/button.tsx";
import { RouteFault } from "./route-fault.tsx";
import styles from "./shell.module.css";
import { Shortcuts } from "./shortcuts.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";
import { useMenu } from "./use-menu.ts";
import { useSignOut } from "./use-sign-out.ts";

const navigation = [
  { to: "/projects", label: "Projects", icon: FolderOpen },
  { to: "/ontologies", label: "Ontologies", icon: Shapes },
  { to: "/api-keys", label: "API keys", icon: KeyRound },
  { to: "/agents", label: "Agents", icon: Bot },
  { to: "/webhooks", label: "Webhooks", icon: Webhook },
  { to: "/usage", label: "Usage", icon: ChartColumn },
] as const;

/** What everybody sees who is signed in, around the page. Loaded beside the first page: the sign-in page does not need it. */
export function Shell() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

/** The menu stays when the session cannot be read. */
export function ShellWithFault({ error }: { readonly error: unknown }) {
  return (
    <Frame>
      <RouteFault error={error} />
    </Frame>
  );
}

/** The navigation at the side (on a phone behind a button at the top) and the page. */
function Frame({ children }: { readonly children: ReactNode }) {
  const menu = useMenu();
  return (
    <div className={styles.shell}>
      <SkipButton />
      <header className={styles.side} ref={menu.area}>
        <Link to="/projects" className={styles.brand ?? ""}>
          <Network aria-hidden size={18} /> Knowledge Context
        </Link>
        <button
          type="button"
          className={styles.toggle}
          ref={menu.button}
          aria-expanded={menu.isOpen}
          aria-controls="menu"
          onClick={menu.toggle}
        >
          {menu.isOpen ? <X aria-hidden size={18} /> : <MenuIcon aria-hidden size={18} />} Menu
        </button>
        <div id="menu" className={`${styles.menu} ${menu.isOpen ? styles.open : ""}`}>
          <Shortcuts />
          <nav aria-label="Main" className={styles.nav}>
            {navigation.map(({ to, label, icon: Icon }) => (
              <Link
                key={to}
                to={to}
                className={styles.place ?? ""}
                activeProps={{ className: styles.here ?? "" }}
                onClick={menu.close}
              >
                <Icon aria-hidden size={16} /> {label}
              </Link>
            ))}
            <a href={serviceUrl("docs")} className={styles.place}>
              <BookOpen aria-hidden size={16} /> API reference
            </a>
          </nav>
          <Account onLeave={menu.close} />
        </div>
      </header>
      <main id="page" className={styles.page} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** A button, because a link to `#page` would lead to the page's base. */
function SkipButton() {
  return (
    <button type="button" className={styles.skip} onClick={() => document.getElementById("page")?.focus()}>
      Skip to content
    </button>
  );
}

function Account({ onLeave }: { readonly onLeave: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const [name = "", host] = session?.user.email.split("@") ?? ["Your account"];
  const leave = useSignOut();
  return (
    <div className={styles.account}>
      <Link
        to="/account"
        className={styles.who ?? ""}
        title={session?.user.email ?? "Your account"}
        onClick={onLeave}
      >
        <CircleUserRound aria-hidden size={16} />
        <span className={styles.email}>
          {name}
          {host !== undefined && (
            <>
              <wbr />@{host}
            </>
          )}
        </span>
      </Link>
      <ThemeSwitch />
      <Button variant="quiet" size="icon" aria-label="Sign out" onPress={() => void leave()}>
        <LogOut aria-hidden size={16} />
      </Button>
    </div>
  );
}
