/** Loads and renders a page. An error boundary keeps the navigation usable if a page throws. */
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
