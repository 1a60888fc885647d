/**
 * Requests that a page of another origin made a browser send. Browsers send them without asking the server first
 * (images, forms, `text/plain` bodies, WebSockets), and a page whose host name was rebound to this machine even reads the
 * answers. Where no credential is needed, or `--cors-domain` names origins, such requests are refused (ruling 41 of the
 * specification).
 */
import { type AdminSecrets, hasAdminSecret } from "../../config/admin-secrets.ts";
import { allowsOrigin } from "../../config/cors-domains.ts";
import type { Options } from "../../config/option-table.ts";
import { isLoopback } from "../../config/server-host.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError } from "../../values/errors.ts";
import { quoted } from "../../values/quoted.ts";

export type PageSettings = AdminSecrets & Pick<Options, "corsDomains" | "serverHost" | "insecureNoSecret">;

/** Returns why a request is refused; `null`: it is not. */
export type PageCheck = (method: string | undefined, headers: RequestHeaders) => EngineError | null;

/** Returns the check of all requests of a server; `null`: none is needed. */
export function pageCheck(settings: PageSettings): PageCheck | null {
  if (!hasAdminSecret(settings)) return openServerCheck(settings);
  const { corsDomains } = settings;
  if (corsDomains.any) return null;
  return (method, headers) => {
    const { origin } = headers;
    if (isOfOwnPage(headers) || (origin !== undefined && allowsOrigin(corsDomains, origin))) return null;
    // A link to the server shows its answer to the user, and to no page.
    return origin === undefined && isNavigation(method, headers) ? null : foreignPage(origin);
  };
}

function openServerCheck({ corsDomains, serverHost, insecureNoSecret }: PageSettings): PageCheck {
  // `*` names no origin: it would make every page an administrator.
  const named = { ...corsDomains, any: false };
  const isOwnName = (host: string): boolean => isLoopback(host) || host === serverHost.toLowerCase();
  return (_method, headers) => {
    const { host, origin } = headers;
    const name = host === undefined ? undefined : hostName(host);
    const isOwn = host === undefined || (name !== undefined && isOwnName(name));
    if (!isOwn && !insecureNoSecret) return foreignHost(host ?? "", serverHost);
    if (origin !== undefined && allowsOrigin(named, origin)) return null;
    if (!isOfOwnPage(headers)) return foreignPage(origin);
    // A page that a browser shows under another name may be one whose name was rebound.
    return origin === undefined || isOwn || isAddress(name ?? "") ? null : foreignPage(origin);
  };
}

/** Whether no page caused the request, or a page of the server itself. */
function isOfOwnPage({ host, origin, "sec-fetch-site": site }: RequestHeaders): boolean {
  if (site !== undefined) return site === "same-origin" || site === "none";
  // Programs that are no browsers, older browsers, and browsers that use HTTP without TLS.
  return origin === undefined || isOriginOf(origin, host);
}

/** The scheme is not compared: a proxy in front may have ended TLS. */
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

/** DNS cannot rebind an address. */
const isAddress = (name: string): boolean => name.includes(":") || /^\d{1,3}(\.\d{1,3}){3}$/.test(name);

/** In characters: what an error repeats of a header. */
const shownLength = 200;
const shown = (text: string): string => quoted(text.slice(0, shownLength));

function foreignHost(host: string, serverHost: string): EngineError {
  const names = [...new Set(["localhost", "127.0.0.1", "[::1]", ...(isLoopback(serverHost) ? [] : [serverHost])])];
  return denied(
    `without an admin secret the server accepts the Host ${names.join(", ")} only, not ${shown(host)}: set ` +
      "--admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET), or have the proxy in front of the server send Host: localhost",
  );
}

function foreignPage(origin: string | undefined): EngineError {
  const page = origin === undefined ? "a page of another site" : `a page of the origin ${shown(origin)}`;
  return denied(
    `${page} caused the request, and --cors-domain does not allow it: name the origin of the page in --cors-domain ` +
      "(ENGINE_GRAPHQL_CORS_DOMAIN)",
  );
}

function denied(message: string): EngineError {
  return new EngineError("access-denied", "$", message, { status: 403 });
}
