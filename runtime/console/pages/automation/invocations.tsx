/** Webhook invocations with their requests and responses. */
import type { Invocation } from "../../http/automation-api.ts";
import { JsonBlock } from "../../parts/json-block.tsx";

const statusOf = ({ http_status, status }: Invocation): number | null => http_status ?? status ?? null;

const isGood = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

export function StatusBadge({ invocation }: { readonly invocation: Invocation }) {
  const status = statusOf(invocation);
  // Without a response, the log has a number outside the range of HTTP status codes.
  const hasAnswer = status !== null && status >= 100 && status < 600;
  return <span class={isGood(status) ? "badge good" : "badge bad"}>{hasAnswer ? String(status) : "No response"}</span>;
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
    <div class="invocation-texts">
      <div>
        <h3>Request</h3>
        <JsonBlock label="Request" value={request} />
      </div>
      <div>
        <h3>Response</h3>
        <JsonBlock label="Response" value={response} />
      </div>
    </div>
  );
}
