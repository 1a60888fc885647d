/** The record of an attempt, stored as JSON texts (`docs/how-to/event-triggers.md`). */
import type { HttpReply } from "../../outbound/http-call.ts";
import type { ShownHeader } from "./prepare-call.ts";

export interface InvocationLog {
  /** `null` if there was no response; 500 if the attempt failed before a request was sent. */
  readonly status: number | null;
  /** JSON text. */
  readonly request: string;
  /** JSON text. */
  readonly response: string;
}

/** `1` for schedules, `2` for event triggers. */
export type LogVersion = "1" | "2";

/**
 * Serializes the request.
 * @param payload JSON text, embedded unchanged so that long numbers keep their digits
 */
export function requestText(
  { headers, payload }: { readonly headers: readonly ShownHeader[]; readonly payload: string },
  version: LogVersion,
): string {
  return `{"headers":${JSON.stringify(headers)},"payload":${payload},"version":"${version}"}`;
}

/**
 * Serializes a response.
 * @param isCut adds `body_is_cut`: the stored body is only the beginning of the response
 */
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
