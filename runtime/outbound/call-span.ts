/**
 * What the span of a call says of it, in the words of OpenTelemetry's conventions for HTTP clients. `url.full` is left
 * out: addresses of webhooks are secrets as often as not.
 */
import type { Span } from "../values/span.ts";
import type { HttpCall, HttpReply } from "./http-call.ts";

/** @param span one that records */
export function describeCall(span: Span, { method, url }: Pick<HttpCall, "method" | "url">): void {
  const { hostname, port, protocol } = URL.canParse(url) ? new URL(url) : nowhere;
  span.set({
    "http.request.method": method,
    "server.address": hostname.replace(/^\[(.*)\]$/, "$1") || undefined,
    "server.port": hostname ? Number(port) || usualPorts[protocol] : undefined,
  });
}

const nowhere = { hostname: "", port: "", protocol: "" };
const usualPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/** An answer that tells of an error is one of the call, whatever the caller makes of it. */
export function describeReply(span: Span, { status }: Pick<HttpReply, "status">): void {
  span.set({ "http.response.status_code": status });
  if (status >= 400) span.fail(status);
}
