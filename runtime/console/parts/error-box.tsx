/** What went wrong, where, and what to do about it. */
import type { ComponentChildren } from "preact";
import { asApiError } from "../http/api-error.ts";
import { Icon } from "./icon.tsx";

interface ErrorBoxProps {
  readonly error: unknown;
  /** A way out: a button. */
  readonly children?: ComponentChildren;
}

export function ErrorBox({ error, children }: ErrorBoxProps) {
  const { message, code, path, hint, internal } = asApiError(error);
  return (
    <div class="error-box" role="alert">
      <Icon name="warning" />
      <div class="error-text">
        <p class="error-message">{message}</p>
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
