/** Opens the operation of a shared link in a tab, and copies links. Nothing is run. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { messageOf } from "../../../values/message-of.ts";
import { serverEndpoint } from "../../http/address.ts";
import { Button, IconButton } from "../../parts/button.tsx";
import { ErrorBox } from "../../parts/error-box.tsx";
import { notify } from "../../parts/toast.tsx";
import { openInEditor, query } from "./request-state.ts";
import { documentIn, fragmentOf } from "./share-link.ts";

const problem = signal<unknown>(null);

function open(): void {
  try {
    const document = documentIn(location.hash);
    if (document === null) return;
    openInEditor({ query: document, variables: "" });
    problem.value = null;
  } catch (thrown) {
    problem.value = thrown;
  }
  history.replaceState(null, "", location.pathname + location.search);
}

/** Reads the address of the page, and shows why its operation was refused. */
export function OpenedLink() {
  useEffect(() => {
    open();
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, []);
  if (problem.value === null) return null;
  return (
    <ErrorBox error={problem.value}>
      <Button
        onClick={() => {
          problem.value = null;
        }}
      >
        Dismiss
      </Button>
    </ErrorBox>
  );
}

export function CopyLink() {
  return (
    <IconButton
      icon="link"
      label="Copy link to this operation"
      disabled={query.value.trim() === ""}
      onClick={() => void copy()}
    />
  );
}

async function copy(): Promise<void> {
  try {
    const fragment = fragmentOf(query.value);
    try {
      await navigator.clipboard.writeText(serverEndpoint("/console/api") + fragment);
      notify("Copied a link to the operation, without variables and role");
    } catch {
      // Browsers restrict the clipboard to secure origins.
      history.replaceState(null, "", location.pathname + location.search + fragment);
      notify("The link to the operation is in the address bar");
    }
  } catch (thrown) {
    notify(messageOf(thrown));
  }
}
