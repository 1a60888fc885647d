/** JWT secrets → what verifies their tokens, once the keys that stand behind URLs are there. */
import { ConfigurationError } from "../../../config/configuration-error.ts";
import type { JwtConfig } from "../../../config/jwt/jwt-config.ts";
import type { Log } from "../../../observe/logs/log.ts";
import { HttpClient } from "../../../outbound/http-client.ts";
import { type OutboundRules, usualOutboundRules } from "../../../values/outbound-rules.ts";
import { fetchKeys, KeyFetchError } from "./fetch-keys.ts";
import { RefreshedKeys } from "./refreshed-keys.ts";
import { TokenVerifier } from "./token-verifier.ts";

export interface OpenVerifiers {
  readonly verifiers: readonly TokenVerifier[];
  /** Ends the refreshing of keys. */
  close(): Promise<void>;
}

const limits = { milliseconds: 10_000, connections: 2, callsAtOnce: 100, responseBytes: 1024 * 1024, redirects: 0 };

/** @throws ConfigurationError when keys cannot be fetched; then nothing is left running */
export async function openVerifiers(
  configs: readonly JwtConfig[],
  { log, outbound = usualOutboundRules }: { readonly log: Log; readonly outbound?: OutboundRules },
): Promise<OpenVerifiers> {
  const client = new HttpClient({ ...limits, outbound });
  const opened: RefreshedKeys[] = [];
  const close = async (): Promise<void> => {
    for (const keys of opened) keys.close();
    await client.close();
  };
  const open = async ({ settings }: JwtConfig): Promise<TokenVerifier> => {
    const { key } = settings;
    if (key.kind === "given") return new TokenVerifier(settings, null);
    const keys = await RefreshedKeys.open(() => fetchKeys(client, key.url), log);
    opened.push(keys);
    return new TokenVerifier(settings, keys);
  };
  const results = await Promise.allSettled(configs.map(open));
  const failure = results.find((result) => result.status === "rejected");
  if (failure === undefined) {
    return { verifiers: results.flatMap((result) => (result.status === "fulfilled" ? result.value : [])), close };
  }
  await close();
  const { reason } = failure;
  throw reason instanceof KeyFetchError
    ? new ConfigurationError([{ setting: null, message: reason.message }])
    : (reason as unknown);
}
