/** The check of a server that authenticates by webhook, with the client that calls the hook. */

import { HttpClient } from "../../../outbound/http-client.ts";
import { type OutboundRules, usualOutboundRules } from "../../../values/outbound-rules.ts";
import type { CredentialCheck } from "../credential-check.ts";
import type { HookSettings } from "./hook-call.ts";
import { type HookTools, webhookCheck } from "./webhook-check.ts";

export interface OpenWebhook {
  readonly check: CredentialCheck;
  /** Ends calls in progress. */
  close(): Promise<void>;
}

const limits = { milliseconds: 10_000, connections: 100, callsAtOnce: 10_000, responseBytes: 256 * 1024, redirects: 0 };

export function openWebhook(
  settings: HookSettings,
  { outbound = usualOutboundRules, ...tools }: Omit<HookTools, "client"> & { readonly outbound?: OutboundRules },
): OpenWebhook {
  const client = new HttpClient({ ...limits, outbound });
  return { check: webhookCheck(settings, { ...tools, client }), close: () => client.close() };
}
