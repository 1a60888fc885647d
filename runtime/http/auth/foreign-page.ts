/**
 * Refuses requests caused by pages of other origins if no credential is required or `--cors-domain` lists origins.
 * Browsers send such requests without a preflight (images, forms, `text/plain` bodies, WebSockets), and a page whose host
 * name was rebound to this machine can even read the responses.
 */
import { type AdminSecrets, hasAdminSecret } from "../../config/admin-secrets.ts";
import { allowsOrigin } from "../../config/cors-domains.ts";
import type { Options } from "../../config/option-table.ts";
import { isLoopback } from "../../config/server-host.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { quoted } from "../../values/quoted.ts";

export type PageSettings = AdminSecrets & Pick<Options, "corsDomains" | "serverHost" | "insecureNoSecret">;

/** Returns the reason for a refusal; `null` if the request is allowed. */
export type PageCheck = (method: string | undefined, headers: RequestHeaders) => EngineError | null;

/** Returns the check for all requests of a server; `null` if every page is allowed. */
export function pageCheck(settings: PageSettings): PageCheck | null {
  if (!hasAdminSecret(settings)) return openServerCheck(settings);
  const { corsDomains } = settings;
  if (corsDomains.any) return null;
  return (method, headers) => {
    const { origin } = headers;
    if (isOfOwnPage(headers) || (origin !== undefined && allowsOrigin(corsDomains, origin))) return null;
    // A navigation shows the response to the user, not to the page.
    return origin === undefined && isNavigation(method, headers) ? null : foreignPage(origin);
  };
}

function openServerCheck({ corsDomains, serverHost, insecureNoSecret }: PageSettings): PageCheck {
  // `*` is ignored, because it would give every page admin access.
  const named = { ...corsDomains, any: false };
  const isOwnName = (host: string): boolean => isLoopback(host) || host === serverHost.toLowerCase();
  return (_method, headers) => {
    const { host, origin } = headers;
    const name = host === undefined ? undefined : hostName(host);
    const isOwn = host === undefined || (name !== undefined && isOwnName(name));
    if (!isOwn && !insecureNoSecret) return foreignHost(host ?? "", serverHost);
    if (origin !== undefined && allowsOrigin(named, origin)) return null;
    if (!isOfOwnPage(headers)) return foreignPage(origin);
    // The host name of the page may have been rebound.
    return origin === undefined || isOwn || isAddress(name ?? "") ? null : foreignPage(origin);
  };
}

/** Returns true if the request comes from a page of this server, or from no page. */
function isOfOwnPage({ host, origin, "sec-fetch-site": site }: RequestHeaders): boolean {
  if (site !== undefined) return site === "same-origin" || site === "none";
  // Older browsers, browsers on plain HTTP, and clients other than browsers do not send `sec-fetch-site`.
  return origin === undefined || isOriginOf(origin, host);
}

/**
 * Returns true if an origin matches a `Host` header. Compares host and port only, because a proxy may terminate TLS.
 */
export function isOriginOf(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  const own = `${page.protocol}//${host}`;
  return page.host !== "" && URL.canParse(own) && page.host === new URL(own).host;
}

function isNavigation(method: string | undefined, headers: RequestHeaders): boolean {
  return method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

/** Returns the name or address of a `Host` header, in lower case, without port and brackets. */
function hostName(host: string): string | undefined {
  return /^(?:\[([0-9a-f:.]+)\]|([^:[\]/@?#\s]+))(?::\d{1,5})?$/i.exec(host)?.slice(1).find(Boolean)?.toLowerCase();
}

/** Returns true for IP addresses, which DNS cannot rebind. */
const isAddress = (name: string): boolean => name.includes(":") || /^\d{1,3}(\.\d{1,3}){3}$/.test(name);

/** The maximum length of a header in an error message. */
const maxShownLength = 200;
const shown = (text: string): string => quoted(text.slice(0, maxShownLength));

function foreignHost(host: string, serverHost: string): EngineError {
  const names = [...new Set(["localhost", "127.0.0.1", "[::1]", ...(isLoopback(serverHost) ? [] : [serverHost])])];
  return denied(
    `without an admin secret the server accepts only the Host ${names.join(", ")}, not ${shown(host)}; set ` +
      "--admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET), or configure the proxy to send Host: localhost",
  );
}

function foreignPage(origin: string | undefined): EngineError {
  const page = origin === undefined ? "a page of another site" : `a page of the origin ${shown(origin)}`;
  return denied(
    `${page} caused the request, and --cors-domain does not allow it; add the origin of the page to --cors-domain ` +
      "(ENGINE_GRAPHQL_CORS_DOMAIN)",
  );
}

function denied(message: string): EngineError {
  return new EngineError("access-denied", "$", message, { status: 403 });
}
