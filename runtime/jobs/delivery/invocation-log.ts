/** What is stored of an attempt, as JSON texts (`docs/event-triggers.md`). */
import type { HttpReply } from "../../outbound/http-call.ts";
import type { ShownHeader } from "./prepare-call.ts";

export interface InvocationLog {
  /** `null`: there was no answer; 500 for what failed before anything was sent. */
  readonly status: number | null;
  /** JSON text. */
  readonly request: string;
  /** JSON text. */
  readonly response: string;
}

/** `1`: of schedules, `2`: of event triggers. */
export type LogVersion = "1" | "2";

/** @param payload JSON text, which is not written anew: long numbers keep their digits */
export function requestText(
  { headers, payload }: { readonly headers: readonly ShownHeader[]; readonly payload: string },
  version: LogVersion,
): string {
  return `{"headers":${JSON.stringify(headers)},"payload":${payload},"version":"${version}"}`;
}

/** @param isCut whether the answer was longer, which is said in addition to what is specified */
export function webhookResponse(
  { status, headers }: Pick<HttpReply, "status" | "headers">,
  body: string,
  { isCut, version }: { readonly isCut: boolean; readonly version: LogVersion },
): string {
  const list = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => ({ name, value: each })),
  );
  const data = { status, headers: list, body, ...(isCut && { body_is_cut: true }) };
  return JSON.stringify({ type: "webhook_response", version, data });
}

export function errorResponse(message: string, version: LogVersion): string {
  return JSON.stringify({ type: "client_error", version, data: { message } });
}
