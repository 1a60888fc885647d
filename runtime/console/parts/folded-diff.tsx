/** Diff that is rendered once it is open, because a change can have hundreds of them. */
import { useState } from "preact/hooks";
import { capitalized } from "./cell-text.ts";
import { DiffView } from "./diff-view.tsx";

interface FoldedDiffProps {
  /** Name of the changed thing, unique among the diffs of a page. */
  readonly name: string;
  readonly kind: "added" | "removed" | "changed";
  /** `null` if there was nothing; absent if the server left out the texts. */
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
  readonly isOpen: boolean;
}

export function FoldedDiff({ name, kind, before, after, isOpen }: FoldedDiffProps) {
  const [wasOpen, setOpen] = useState(isOpen);
  return (
    <details class="folded-diff card" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpen(true)}>
      <summary>
        <code>
          <bdi>{name}</bdi>
        </code>{" "}
        <span class="badge">{capitalized(kind)}</span>
      </summary>
      {!wasOpen ? null : before === undefined ? (
        <p class="muted">Too many changes to show this one.</p>
      ) : (
        <DiffView label={`${name} before and after`} before={before ?? ""} after={after ?? ""} />
      )}
    </details>
  );
}
