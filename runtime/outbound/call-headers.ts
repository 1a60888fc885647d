/** Builds the headers of a call: configured headers, the engine's own, and forwarded client headers. */

import type { WebhookHeader } from "../model/definitions/input-validation.ts";
import type { RequestHeaders } from "../ports/headers.ts";
import { resolveTemplate } from "../values/environment-template.ts";
import { randomHex } from "../values/random-hex.ts";
import type { Span } from "../values/span.ts";
import { forwardedHeaders } from "./client-headers.ts";

export interface HeaderSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Product version. */
  readonly version: string;
  /** True if configured headers override the engine's own and forwarded headers; otherwise they are overridden. */
  readonly configuredFirst: boolean;
}

export interface HeaderParts {
  readonly configured: readonly WebhookHeader[];
  /** Headers of the client's request. */
  readonly client: RequestHeaders;
  readonly forwardClient: boolean;
  /** Names that are not forwarded, instead of the default ones. */
  readonly ignored?: readonly string[];
  /** The span of the call; if absent, the call continues the client's trace. */
  readonly span?: Span | undefined;
}

export function callHeaders(
  { configured, client, forwardClient, ignored, span }: HeaderParts,
  { environment, version, configuredFirst }: HeaderSettings,
): Record<string, string> {
  const own = {
    "content-type": "application/json",
    "user-agent": `engine-graphql-engine/v${version}`,
    ...traceHeaders(client, span),
  };
  if (configured.length === 0 && !forwardClient) return own;
  const clientHeaders = forwardClient ? forwardedHeaders(client, ignored) : {};
  const forwarded = span?.context === undefined ? clientHeaders : withoutTrace(clientHeaders);
  const configuredValues = Object.fromEntries(
    configured.map((header) => [header.name.toLowerCase(), headerValue(header, environment)]),
  );
  return configuredFirst
    ? { ...forwarded, ...own, ...configuredValues }
    : { ...configuredValues, ...own, ...forwarded };
}

/** Removes trace headers, which would make the client the parent of the call's span. */
export function withoutTrace(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:b3|x-b3-.*|traceparent|tracestate)$/.test(name)),
  );
}

function headerValue(header: WebhookHeader, environment: HeaderSettings["environment"]): string {
  return "value" in header ? resolveTemplate(header.value, environment) : (environment[header.valueFromEnv] ?? "");
}

/** Trace headers of calls in the B3 format. */
const traceId = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/;
const spanId = /^[0-9a-f]{16}$/;

/**
 * Returns the trace headers of a call. The call is a new span in the client's trace, if any.
 * @param span span of the call if it is traced
 */
export function traceHeaders(headers: RequestHeaders, span?: Span): Record<string, string> {
  const own = span?.headers();
  if (own) return { ...own };
  const trace = headers["x-b3-traceid"];
  if (trace === undefined) return { "x-b3-traceid": randomHex(16), "x-b3-spanid": randomHex(8) };
  const parent = headers["x-b3-spanid"] ?? "";
  const sampled = headers["x-b3-sampled"] ?? "";
  const inTrace = traceId.test(trace);
  return {
    "x-b3-traceid": inTrace ? trace : randomHex(16),
    ...(inTrace && spanId.test(parent) && { "x-b3-parentspanid": parent }),
    "x-b3-spanid": randomHex(8),
    ...(inTrace && /^[01]$/.test(sampled) && { "x-b3-sampled": sampled }),
  };
}
