/** Frame of all pages: navigation, theme, sign-in and sign-out. */

import { effect, signal, useSignal } from "@preact/signals";
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { configuration } from "../configuration.ts";
import { endpoint } from "../http/address.ts";
import { ApiError, errorOf, unreachable } from "../http/api-error.ts";
import { needsSignIn, signIn, signOut, wasRejected } from "../http/credentials.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Empty, Loading } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Icon } from "../parts/icon.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Link } from "../routing/link.tsx";
import { addressOf, navigate, segments } from "../routing/router.ts";
import { projectProblem } from "../state/project.ts";
import { type Page, type PageProps, pages } from "./pages.ts";

export function Shell() {
  const [name, ...path] = segments.value;
  const page = pages.find((each) => each.name === name);
  useEffect(() => {
    document.title = page ? `${page.title} · Console` : "Console";
    const [first] = pages;
    if (name === undefined && first) navigate(addressOf([first.name]), "replace");
  }, [name, page]);
  if (needsSignIn()) return <SignIn />;
  return (
    <div class="shell">
      <a class="skip-link" href="#content">
        Skip to content
      </a>
      <Navigation current={name} />
      <main id="content" class="content" tabIndex={-1}>
        {projectProblem.value && <ErrorBox error={projectProblem.value} />}
        {page ? (
          <PageOutlet page={page} path={path} />
        ) : (
          <Empty title="Page not found" isPage>
            <p>Choose a page from the menu.</p>
          </Empty>
        )}
      </main>
      <Toasts />
    </div>
  );
}

function Navigation({ current }: { readonly current: string | undefined }) {
  return (
    <header class="navigation">
      <nav aria-label="Pages">
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
      <div class="navigation-end">
        <span class="version" title="Server version">
          {configuration.serverVersion}
        </span>
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
        <IconButton icon="theme" label="Switch theme" onClick={switchTheme} />
        {configuration.isAdminSecretSet && <IconButton icon="out" label="Sign out" onClick={signOut} />}
      </div>
    </header>
  );
}

// Loads and renders a page. An error boundary keeps the navigation usable if a page throws.

const loaded = new Map<string, ComponentType<PageProps>>();

function PageOutlet({ page, path }: { readonly page: Page; readonly path: readonly string[] }) {
  const [error, setError] = useState<unknown>(null);
  const [, redraw] = useState(0);
  const Content = loaded.get(page.name);
  useEffect(() => {
    if (loaded.has(page.name)) return;
    page.load().then(
      (module) => {
        loaded.set(page.name, module.default);
        redraw((version) => version + 1);
      },
      () => setError(new Error("Failed to load this page. Reload the browser tab.")),
    );
  }, [page]);
  if (error !== null) return <ErrorBox error={error} />;
  if (!Content) return <Loading item="page" />;
  return (
    <Boundary key={page.name}>
      <Content path={path} />
    </Boundary>
  );
}

interface BoundaryState {
  readonly error: unknown;
}

class Boundary extends Component<{ children: ComponentChildren }, BoundaryState> {
  override state: BoundaryState = { error: null };

  override componentDidCatch(error: unknown): void {
    this.setState({ error });
  }

  override render() {
    if (this.state.error === null) return this.props.children;
    return (
      <ErrorBox error={this.state.error}>
        <Button onClick={() => this.setState({ error: null })}>Retry</Button>
      </ErrorBox>
    );
  }
}

// Sign-in form. Verifies the admin secret with the server before storing it.

/** @throws ApiError if the server is unreachable or rejects the secret */
async function verifySecret(secret: string): Promise<void> {
  const response = await fetch(endpoint("/v1/metadata"), {
    method: "POST",
    headers: { "content-type": "application/json", "x-engine-admin-secret": secret },
    body: JSON.stringify({ type: "get_catalog_state", args: {} }),
  }).catch(() => null);
  if (!response) throw unreachable();
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => null));
}

function SignIn() {
  const secret = useSignal("");
  const error = useSignal<unknown>(wasRejected.value ? new ApiError("The admin secret is no longer valid.") : null);
  const isBusy = useSignal(false);
  const submit = async (): Promise<void> => {
    isBusy.value = true;
    try {
      await verifySecret(secret.value);
      signIn(secret.value);
    } catch (thrown) {
      error.value = thrown;
      isBusy.value = false;
    }
  };
  return (
    <main class="sign-in">
      <Form class="card sign-in-form" onSubmit={submit}>
        <h1>Sign in</h1>
        <p class="muted">The console has administrator access to the server.</p>
        <TextField
          label="Admin secret"
          type="password"
          autoComplete="current-password"
          hint="Kept in this tab until you close it."
          value={secret.value}
          onInput={(value) => {
            secret.value = value;
          }}
          required
          autoFocus
        />
        {error.value !== null && <ErrorBox error={error.value} />}
        <Button kind="primary" type="submit" busy={isBusy.value}>
          Sign in
        </Button>
      </Form>
    </main>
  );
}

/** Color theme: follows the system setting until the user switches it. */
type Theme = "light" | "dark";

const key = "engine-console-theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

const isTheme = (value: string | null): value is Theme => value === "light" || value === "dark";
const stored = localStorage.getItem(key);

const chosen = signal<Theme | null>(isTheme(stored) ? stored : null);

effect(() => {
  if (chosen.value === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen.value;
});

function switchTheme(): void {
  const now = chosen.value ?? (systemIsDark.matches ? "dark" : "light");
  chosen.value = now === "dark" ? "light" : "dark";
  localStorage.setItem(key, chosen.value);
}
