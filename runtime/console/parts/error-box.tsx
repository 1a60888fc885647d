/** Error message with its reasons, hint, code, path and details. */
import type { ComponentChildren } from "preact";
import { asApiError } from "../http/api-error.ts";
import { Icon } from "./icon.tsx";

interface ErrorBoxProps {
  readonly error: unknown;
  /** Buttons, such as Retry. */
  readonly children?: ComponentChildren;
}

/** Maximum number of displayed reasons. Further reasons are only in the details. */
const maxReasons = 3;

/** Members of `internal` that explain an error: of inconsistent objects, and of errors of the database. */
const reasonMembers = ["reason", "message", "description", "hint"] as const;

/** Returns the reasons in `internal`, including those of the database, that the message does not contain. */
function reasonsIn(internal: unknown, message: string): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      const object = value as Readonly<Record<string, unknown>>;
      const texts = reasonMembers.map((name) => object[name]).filter((text) => typeof text === "string");
      // The reason of an inconsistent object contains its message.
      for (const text of typeof object.reason === "string" ? [object.reason] : texts) {
        if (text !== "" && !message.includes(text)) found.add(text);
      }
      walk(object.error);
    }
  };
  walk(internal);
  return [...found].slice(0, maxReasons);
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
          <p class="error-location">
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
