/**
 * Authorization of `/mcp` (Model Context Protocol, revision 2026-07-28, "Authorization"): the server is an OAuth 2.1
 * resource server, which publishes protected-resource metadata (RFC 9728) and accepts only tokens for itself.
 */
import type { HttpUrl } from "../../config/http-url.ts";
import type { AuthenticatedSession } from "../../ports/authentication.ts";
import type { Handler } from "../../ports/request.ts";
import { EngineError } from "../../values/errors.ts";
import { anonymous, jsonResponse } from "../responses.ts";

export interface McpAuthorization {
  /** Public URL of the endpoint; `null` if the server publishes no metadata and expects no audience. */
  readonly mcpResource: HttpUrl | null;
  readonly mcpAuthorizationServers: ReadonlySet<string>;
  /** True if callers that choose their role are accepted. */
  readonly mcpAdminSecret: boolean;
}

/** Returns the audience of tokens for `/mcp`, without the slash that URL parsers add to a host (RFC 8707, section 2). */
export function mcpAudience({ mcpResource }: Pick<McpAuthorization, "mcpResource">): string | null {
  if (mcpResource === null) return null;
  const { href, pathname, search } = new URL(mcpResource.reveal());
  return pathname === "/" && search === "" ? href.slice(0, -1) : href;
}

/**
 * Checks that a session may use `/mcp`. An assistant with the admin secret could choose any role.
 * @throws EngineError `access-denied`
 */
export function checkMcpSession(session: AuthenticatedSession, { mcpAdminSecret }: McpAuthorization): void {
  const isPrivileged = session.choosesRole === true || session.role === "admin";
  if (!isPrivileged || mcpAdminSecret) return;
  const reason =
    session.choosesRole === true
      ? "requests that choose their role, such as requests with the admin secret, are refused at /mcp"
      : "the role admin is refused at /mcp";
  const remedy = "send a token of another role, or start the server with --mcp-admin-secret";
  throw new EngineError("access-denied", "$", `${reason}: ${remedy}`, { status: 403 });
}

/** The token of a caller lacks scopes of a tool. Clients can request another token with these scopes. */
export class InsufficientScope extends EngineError {
  readonly scopes: readonly string[];

  /** @param scopes all scopes of the tool */
  constructor(scopes: readonly string[], missing: readonly string[]) {
    const message = `the token lacks scopes of this tool: ${missing.join(", ")}`;
    super("access-denied", "$", message, { status: 403 });
    this.scopes = scopes;
  }
}

/**
 * Checks the scopes of a caller. Callers that choose their role need none.
 * @param required scopes of the tool
 * @throws InsufficientScope
 */
export function checkScopes({ choosesRole, scopes }: AuthenticatedSession, required: readonly string[] = []): void {
  if (required.length === 0 || choosesRole === true) return;
  const missing = required.filter((scope) => scopes?.includes(scope) !== true);
  if (missing.length > 0) throw new InsufficientScope(required, missing);
}

/**
 * Returns the value of `WWW-Authenticate` (RFC 6750, section 3).
 * @param error the refusal; a failed authentication, unless scopes are missing
 * @param hasToken true if the request has a token
 */
export function challenge(
  { mcpResource }: Pick<McpAuthorization, "mcpResource">,
  error: EngineError,
  hasToken: boolean,
): string {
  const reason =
    error instanceof InsufficientScope
      ? ['error="insufficient_scope"', `scope="${error.scopes.join(" ")}"`]
      : hasToken
        ? ['error="invalid_token"']
        : [];
  const metadata = mcpResource === null ? [] : [`resource_metadata="${metadataUrl(mcpResource).href}"`];
  const parameters = [...reason, ...metadata];
  return parameters.length === 0 ? "Bearer" : `Bearer ${parameters.join(", ")}`;
}

/** Inserts the well-known path before the path of the resource (RFC 9728, section 3.1). */
function metadataUrl(resource: HttpUrl): URL {
  const { origin, pathname } = new URL(resource.reveal());
  return new URL(`${metadataPath}${pathname === "/" ? "" : pathname}`, origin);
}

const metadataPath = "/.well-known/oauth-protected-resource";

/**
 * Returns the public routes of the metadata, by path; none without a resource. `scopes_supported` is absent: any client can
 * read this document, and scopes would disclose tools of all roles. A response with status 403 names the scopes that a
 * call requires, only to a role that has the tool.
 */
export function resourceMetadataRoutes(settings: McpAuthorization): ReadonlyMap<string, Handler> {
  const { mcpResource, mcpAuthorizationServers } = settings;
  if (mcpResource === null) return new Map();
  const body = JSON.stringify({
    resource: mcpAudience(settings),
    authorization_servers: [...mcpAuthorizationServers],
    bearer_methods_supported: ["header"],
  });
  const handler: Handler = async () => jsonResponse(200, body, anonymous);
  return new Map([metadataPath, metadataUrl(mcpResource).pathname].map((path) => [path, handler]));
}
