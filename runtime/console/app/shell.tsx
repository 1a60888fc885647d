/** What surrounds every page: navigation, theme, signing out. */
import { useEffect } from "preact/hooks";
import { configuration } from "../configuration.ts";
import { needsSignIn, signOut } from "../http/credentials.ts";
import { IconButton } from "../parts/button.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import { Icon } from "../parts/icon.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Link } from "../routing/link.tsx";
import { addressOf, navigate, segments } from "../routing/router.ts";
import { projectProblem } from "../state/project.ts";
import { PageOutlet } from "./page-outlet.tsx";
import { pages } from "./pages.ts";
import { SignIn } from "./sign-in.tsx";
import { switchTheme } from "./theme.ts";

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
        Skip to the content
      </a>
      <Navigation current={name} />
      <main id="content" class="content" tabIndex={-1}>
        {projectProblem.value && <ErrorBox error={projectProblem.value} />}
        {page ? (
          <PageOutlet page={page} path={path} />
        ) : (
          <Empty title="There is no such page." isPage>
            <p>The menu leads to those that there are.</p>
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
        <span class="version" title="Version of the server">
          {configuration.serverVersion}
        </span>
        <IconButton icon="theme" label="Dark or light" onClick={switchTheme} />
        {configuration.isAdminSecretSet && <IconButton icon="out" label="Sign out" onClick={signOut} />}
      </div>
    </header>
  );
}
