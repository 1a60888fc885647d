/** Webhook invocations with their requests and responses. */
import type { Invocation } from "../../http/automation-api.ts";
import { JsonBlock } from "../../parts/json-block.tsx";
import { ShownHeaders } from "./shown-headers.tsx";

const statusOf = ({ http_status, status }: Invocation): number | null => http_status ?? status ?? null;

export function isGood(invocation: Invocation): boolean {
  const status = statusOf(invocation);
  return status !== null && status >= 200 && status < 300;
}

/** Without a response, the log has no status or a number outside the range of HTTP status codes. */
export function statusText(invocation: Invocation): string {
  const status = statusOf(invocation);
  return status !== null && status >= 100 && status < 600 ? String(status) : "No response";
}

export function StatusBadge({ invocation }: { readonly invocation: Invocation }) {
  return <span class={isGood(invocation) ? "badge good" : "badge bad"}>{statusText(invocation)}</span>;
}

/** @param time ISO 8601; a time without an offset is UTC */
export const shownTime = (time: string | null): string =>
  time === null ? "" : time.replace("T", " ").replace(/\.\d+/, "");

export const triesText = (tries: number): string => (tries === 1 ? "1 attempt" : `${tries} attempts`);

export function Invocations({ invocations }: { readonly invocations: readonly Invocation[] }) {
  if (invocations.length === 0) return <p class="muted">No invocations yet</p>;
  return (
    <ul class="stack">
      {invocations.map((invocation) => (
        <li key={invocation.id} class="card invocation">
          <p class="row">
            <StatusBadge invocation={invocation} />
            <span class="muted">{shownTime(invocation.created_at)}</span>
          </p>
          <InvocationTexts invocation={invocation} />
        </li>
      ))}
    </ul>
  );
}

export function InvocationTexts({ invocation: { request, response } }: { readonly invocation: Invocation }) {
  return (
    <ShownHeaders>
      {(shown) => (
        <div class="invocation-texts">
          <div>
            <h3>Request</h3>
            <JsonBlock label="Request" value={shown(request)} />
          </div>
          <div>
            <h3>Response</h3>
            <JsonBlock label="Response" value={shown(response)} />
          </div>
        </div>
      )}
    </ShownHeaders>
  );
}
