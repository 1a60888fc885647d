/** Frame of all pages: identity of the server, navigation, dialogs that every page has, and notifications. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
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
        <a
          class="version"
          href={endpoint("/docs/reference/versions.html")}
          target="_blank"
          rel="noreferrer"
          title="Versions: compatible and incompatible changes"
        >
          {configuration.serverVersion}
        </a>
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
  return (
    <nav class="navigation" aria-label="Pages">
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

function Panels() {
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      const panel = shortcutOf(event);
      // A panel over a dialog would hide what the user works on.
      if (!panel || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      openedPanel.value = panel;
    };
    // Before editors, which bind many keys.
    addEventListener("keydown", open, { capture: true });
    return () => removeEventListener("keydown", open, { capture: true });
  }, []);
  const close = (): void => {
    openedPanel.value = null;
  };
  switch (openedPanel.value) {
    case "palette":
      return <LazyPanel key="palette" load={palette} onClose={close} />;
    case "keyboard":
      return <LazyPanel key="keyboard" load={keyboardHelp} onClose={close} />;
    case "settings":
      return <LazyPanel key="settings" load={settings} onClose={close} />;
    default:
      return null;
  }
}

type PanelContent = ComponentType<{ readonly onClose: () => void }>;

const palette = (): Promise<PanelContent> => import("./command-palette.tsx").then((module) => module.CommandPalette);
const keyboardHelp = (): Promise<PanelContent> => import("./keyboard-help.tsx").then((module) => module.KeyboardHelp);
const settings = (): Promise<PanelContent> => import("./settings.tsx").then((module) => module.Settings);

function LazyPanel({ load, onClose }: { readonly load: () => Promise<PanelContent>; readonly onClose: () => void }) {
  const [Content, setContent] = useState<PanelContent | null>(null);
  // If loading fails, the next click tries again.
  useEffect(() => void load().then((loaded) => setContent(() => loaded), onClose), [load]);
  return Content && <Content onClose={onClose} />;
}
