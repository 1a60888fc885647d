/** Loads a page and shows it. An error in one page leaves the others usable. */
import { Component, type ComponentChildren, type ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Loading } from "../parts/empty.tsx";
import { ErrorBox } from "../parts/error-box.tsx";
import type { Page, PageProps } from "./pages.ts";

const loaded = new Map<string, ComponentType<PageProps>>();

export function PageOutlet({ page, path }: { readonly page: Page; readonly path: readonly string[] }) {
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
      () => setError(new Error("This part of the console could not be loaded. Reload the page.")),
    );
  }, [page]);
  if (error !== null) return <ErrorBox error={error} />;
  if (!Content) return <Loading what="the page" />;
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
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
      </ErrorBox>
    );
  }
}
