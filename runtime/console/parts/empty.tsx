/** In place of content: there is none yet, or it is on its way. */
import type { ComponentChildren } from "preact";

interface EmptyProps {
  readonly title: string;
  /** It stands for a whole page, and is its heading. */
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

export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what} …
    </div>
  );
}
