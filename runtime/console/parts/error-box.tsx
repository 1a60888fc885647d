/** What went wrong, where, and what to do about it. */
import type { ComponentChildren } from "preact";
import { asApiError } from "../http/api-error.ts";
import { Icon } from "./icon.tsx";

interface ErrorBoxProps {
  readonly error: unknown;
  /** A way out: a button. */
  readonly children?: ComponentChildren;
}

/** More than these are in the details. */
const mostReasons = 3;

/** Why objects would be inconsistent, or could not be changed, where the message does not say it. */
function reasonsIn(internal: unknown, message: string): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      const { reason, message: said } = value as { readonly reason?: unknown; readonly message?: unknown };
      const text = typeof reason === "string" ? reason : said;
      if (typeof text === "string" && !message.includes(text)) found.add(text);
    }
  };
  walk(internal);
  return [...found].slice(0, mostReasons);
}

export function ErrorBox({ error, children }: ErrorBoxProps) {
  const { message, code, path, hint, internal } = asApiError(error);
  return (
    <div class="error-box" role="alert">
      <Icon name="warning" />
      <div class="error-text">
        <p class="error-message">{message}</p>
        {reasonsIn(internal, message).map((reason) => (
          <p key={reason}>
            <bdi>{reason}</bdi>
          </p>
        ))}
        {hint !== null && <p>{hint}</p>}
        {code !== null && (
          <p class="error-place">
            <code>{code}</code>
            {path !== null && path !== "$" && (
              <>
                {" at "}
                <code>{path}</code>
              </>
            )}
          </p>
        )}
        {internal !== null && (
          <details>
            <summary>Details</summary>
            <pre class="code-block">{JSON.stringify(internal, null, 2)}</pre>
          </details>
        )}
        {children}
      </div>
    </div>
  );
}
