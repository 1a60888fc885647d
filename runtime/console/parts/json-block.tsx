/** Read-only JSON value, truncated if it is very long. */
import { jsonText } from "../http/json.ts";
import { Button } from "./button.tsx";
import { notify } from "./toast.tsx";

/** Maximum length of the displayed text in characters. */
const maxLength = 50_000;

export function JsonBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = jsonText(value);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => notify("Copied"));
  return (
    <div class="json-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section class="code-block" tabIndex={0} aria-label={label}>
        <code>
          <bdi>{text.length > maxLength ? `${text.slice(0, maxLength)} …` : text}</bdi>
        </code>
      </section>
      {text.length > maxLength && (
        <p class="row muted">
          <span>{`First ${maxLength.toLocaleString()} of ${text.length.toLocaleString()} characters`}</span>
          <Button kind="quiet" icon="copy" onClick={copy}>
            Copy all
          </Button>
        </p>
      )}
    </div>
  );
}
