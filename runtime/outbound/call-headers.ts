/** The headers of a call: configured ones, those of the product, and those of the client (`automation.md` C, J.2). */

import type { WebhookHeader } from "../model/definitions/input-validation.ts";
import type { RequestHeaders } from "../ports/headers.ts";
import { resolveTemplate } from "../values/environment-template.ts";
import type { Span } from "../values/span.ts";
import { forwardedHeaders } from "./client-headers.ts";
import { traceHeaders } from "./trace-headers.ts";

export interface HeaderSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of the product. */
  readonly version: string;
  /** Configured headers win over the others, which win over them otherwise. */
  readonly configuredFirst: boolean;
}

export interface HeaderParts {
  readonly configured: readonly WebhookHeader[];
  /** Those of the client's request. */
  readonly client: RequestHeaders;
  readonly forwardClient: boolean;
  /** Names of those that are not forwarded, in place of the usual ones. */
  readonly ignored?: readonly string[];
  /** What the call is a step of; absent: the client's trace is gone on with. */
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
  const passedOn = forwardClient ? forwardedHeaders(client, ignored) : {};
  const forwarded = span?.context === undefined ? passedOn : withoutTrace(passedOn);
  const given = Object.fromEntries(
    configured.map((header) => [header.name.toLowerCase(), headerValue(header, environment)]),
  );
  return configuredFirst ? { ...forwarded, ...own, ...given } : { ...given, ...own, ...forwarded };
}

/** The client would be the caller otherwise. */
export function withoutTrace(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(?:b3|x-b3-.*|traceparent|tracestate)$/.test(name)),
  );
}

function headerValue(header: WebhookHeader, environment: HeaderSettings["environment"]): string {
  return "value" in header ? resolveTemplate(header.value, environment) : (environment[header.valueFromEnv] ?? "");
}
