/** Placeholders for missing and loading content. */
import type { ComponentChildren } from "preact";

interface EmptyProps {
  readonly title: string;
  /** True if the title is the heading of the page. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}

export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <div class="empty">
      {isPage ? <h1 class="empty-title">{title}</h1> : <p class="empty-title">{title}</p>}
      {children}
    </div>
  );
}

export function Loading({ item }: { readonly item: string }) {
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {item}…
    </div>
  );
}
