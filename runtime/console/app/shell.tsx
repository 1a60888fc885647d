/** Frame of all pages: identity of the server, navigation, dialogs that every page has, and notifications. */
import { useEffect, useRef, useState } from "preact/hooks";
import { configuration } from "../configuration.ts";
import { endpoint } from "../http/address.ts";
import { needsSignIn, signOut } from "../http/credentials.ts";
import { IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Icon } from "../parts/icon.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Link } from "../routing/link.tsx";
import { addressOf, navigate, segments } from "../routing/router.ts";
import { projectProblem } from "../state/project.ts";
import { FirstRun } from "./first-run.tsx";
import { Identity, titleOf } from "./identity.tsx";
import { PageOutlet } from "./page-outlet.tsx";
import { hiddenPages, pages } from "./pages.ts";
import { openedPanel, shortcutOf } from "./panels.ts";
import { hasUnseenChanges } from "./seen-changes.ts";
import { SignIn } from "./sign-in.tsx";

export function Shell() {
  const [name, ...path] = segments.value;
  const page = [...pages, ...hiddenPages].find((each) => each.name === name);
  useEffect(() => {
    document.title = titleOf(page?.title);
    const [first] = pages;
    if (name === undefined && first) navigate(addressOf([first.name]), "replace");
  }, [name, page]);
  if (needsSignIn()) return <SignIn />;
  return (
    <div class="shell">
      <a class="skip-link" href="#content">
        Skip to content
      </a>
      <TopBar />
      <Navigation current={name} />
      <main id="content" class="content" tabIndex={-1}>
        {projectProblem.value && <ErrorBox error={projectProblem.value} />}
        {name === pages[0]?.name && <FirstRun />}
        <div class="outlet">
          {page ? (
            <PageOutlet page={page} path={path} />
          ) : (
            <Empty title="Page not found" isPage>
              <p>Choose a page from the menu.</p>
            </Empty>
          )}
        </div>
      </main>
      <Panels />
      <Toasts />
    </div>
  );
}

function TopBar() {
  return (
    <header class={`top-bar ${configuration.label ? configuration.color : ""}`}>
      <Identity />
      <div class="top-bar-end">
        <button
          type="button"
          class="search-button"
          aria-keyshortcuts="Control+K"
          title="Search and run commands (Ctrl+K)"
          onClick={() => {
            openedPanel.value = "palette";
          }}
        >
          <Icon name="search" />
          <span>Search</span>
          <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          class="version"
          title="Changes in this version"
          onClick={() => {
            openedPanel.value = "changes";
          }}
        >
          {configuration.serverVersion}
          {hasUnseenChanges.value && (
            <span class="version-dot">
              <span class="visually-hidden">, changes that you have not seen</span>
            </span>
          )}
        </button>
        <a
          class="icon-button"
          href={endpoint("/docs/")}
          target="_blank"
          rel="noreferrer"
          aria-label="Documentation"
          title="Documentation"
        >
          <Icon name="book" />
        </a>
        <IconButton
          icon="help"
          label="Keyboard shortcuts"
          onClick={() => {
            openedPanel.value = "keyboard";
          }}
        />
        <IconButton
          icon="settings"
          label="Settings"
          onClick={() => {
            openedPanel.value = "settings";
          }}
        />
        {configuration.isAdminSecretSet && <IconButton icon="out" label="Sign out" onClick={signOut} />}
      </div>
    </header>
  );
}

function Navigation({ current }: { readonly current: string | undefined }) {
  const navigation = useRef<HTMLElement>(null);
  // On narrow screens, the links scroll horizontally.
  useEffect(() => {
    navigation.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  return (
    <nav class="navigation" aria-label="Pages" ref={navigation}>
      <ul>
        {pages.map(({ name, title, icon }) => (
          <li key={name}>
            <Link to={[name]} current={name === current} class="page-link" title={title}>
              <Icon name={icon} />
              <span>{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type Dialogs = typeof import("./panel-dialogs.tsx");

function Panels() {
  const [dialogs, setDialogs] = useState<Dialogs | null>(null);
  // Characters that were typed before the search was loaded.
  const typed = useRef("");
  const opened = openedPanel.value;
  const close = (): void => {
    openedPanel.value = null;
    typed.current = "";
  };
  useEffect(() => {
    if (opened !== null && dialogs === null) void import("./panel-dialogs.tsx").then(setDialogs, close);
  }, [opened]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const hasDialog = document.querySelector("dialog[open]") !== null;
      const isOpening = openedPanel.value !== null && !hasDialog;
      const panel = shortcutOf(event);
      if (isOpening && event.key.length === 1 && !event.ctrlKey && !event.metaKey) typed.current += event.key;
      // A panel over a dialog would hide what the user works on.
      else if (panel && !hasDialog) openedPanel.value = panel;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before editors, which bind many keys.
    addEventListener("keydown", press, { capture: true });
    return () => removeEventListener("keydown", press, { capture: true });
  }, []);
  if (dialogs === null) return null;
  switch (opened) {
    case "palette":
      return <dialogs.CommandPalette onClose={close} initial={typed.current} />;
    case "keyboard":
      return <dialogs.KeyboardHelp onClose={close} />;
    case "changes":
      return <dialogs.Changes onClose={close} />;
    case "settings":
      return <dialogs.Settings onClose={close} />;
    default:
      return null;
  }
}
