/**
 * Refuses requests of web pages of other origins, also on servers that require credentials. A page whose host name was
 * rebound to this machine sends its own name as origin and host, so that a server that listens on a loopback address
 * accepts only origins of this machine.
 */
import type { AdminSecrets } from "../../config/admin-secrets.ts";
import { allowsOrigin } from "../../config/cors-domains.ts";
import type { Options } from "../../config/option-table.ts";
import { isLoopback, listenHost } from "../../config/server-host.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { quoted } from "../../values/quoted.ts";
import { isOriginOf } from "../auth/foreign-page.ts";

export type OriginSettings = AdminSecrets & Pick<Options, "corsDomains" | "serverHost" | "insecureNoSecret">;

/** @returns a function that returns the reason for a refusal; `null` if the request is allowed */
export function originCheck(settings: OriginSettings): (headers: RequestHeaders) => EngineError | null {
  // `*`, the default, would allow every page.
  const named = { ...settings.corsDomains, any: false };
  const isLocal = isLoopback(listenHost(settings));
  return ({ origin, host }) => {
    if (origin === undefined || allowsOrigin(named, origin)) return null;
    if (isOriginOf(origin, host) && (!isLocal || isLoopback(nameOf(origin)))) return null;
    const shown = quoted(origin.slice(0, 200));
    const message = `pages of the origin ${shown} may not use /mcp; add the origin to --cors-domain (ENGINE_GRAPHQL_CORS_DOMAIN)`;
    return new EngineError("access-denied", "$", message, { status: 403 });
  };
}

const nameOf = (origin: string): string => new URL(origin).hostname.replace(/^\[|\]$/g, "");
