/** A JSON value to read: as text, cut short where it is very long. */
import { jsonText } from "../http/json.ts";
import { Button } from "./button.tsx";
import { tell } from "./toast.tsx";

/** Characters. */
const longest = 50_000;

export function JsonBlock({ label, value }: { readonly label: string; readonly value: unknown }) {
  const text = jsonText(value);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => tell("Copied."));
  return (
    <div class="json-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="code-block" tabIndex={0} aria-label={label}>
        <code>
          <bdi>{text.length > longest ? `${text.slice(0, longest)} …` : text}</bdi>
        </code>
      </section>
      {text.length > longest && (
        <p class="row muted">
          <span>{`The first ${longest} of ${text.length} characters.`}</span>
          <Button kind="quiet" icon="copy" onClick={copy}>
            Copy all
          </Button>
        </p>
      )}
    </div>
  );
}
