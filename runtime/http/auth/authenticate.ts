/**
 * Authenticates requests: runs the credential checks of the server's mode in order. To support another credential, add a
 * check to the list of its mode.
 */
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { CorsDomains } from "../../config/cors-domains.ts";
import type { Secret } from "../../config/secret.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { AuthenticatedSession, Authenticator } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import type { OutboundRules } from "../../values/outbound-rules.ts";
import { sessionPrefix } from "../../values/session.ts";
import { peerPrefix, underBothNames } from "../../values/session-alias.ts";
import { AdminSecrets } from "./admin-secret.ts";
import type { CheckContext, CredentialCheck } from "./credential-check.ts";
import { foreignCookie, hasForeignCookie } from "./foreign-cookie.ts";
import { accessKeyHeader, adminSecretHeader, roleHeader, toEngineHeaders } from "./headers.ts";
import { invalidHeaders } from "./jwt/compact-token.ts";
import { jwtCheck } from "./jwt/jwt-check.ts";
import type { AuthMode } from "./mode.ts";
import { trustedSession, untrustedSession } from "./session.ts";

export interface AuthenticatorTools {
  readonly log: Log;
  /** The product version. */
  readonly version: string;
  /** The origins whose pages may send requests with cookies. */
  readonly origins: CorsDomains;
  /** The alternative prefix of `--header-alias`, if any. */
  readonly alias?: string | null;
  /** The permitted targets for hooks and key sets; absent for the default rules. */
  readonly outbound?: OutboundRules;
  /** The host program's check, which runs after the check of the admin secret. */
  readonly hostCheck?: CredentialCheck | undefined;
  /** Audience of tokens for `/mcp` alone; `null` or absent without such tokens. */
  readonly mcpAudience?: string | null;
}

export interface RunningAuthenticator extends Authenticator {
  /** Aborts calls to webhooks and key set URLs. */
  close(): Promise<void>;
}

/** Modes that need no remote call. */
export type LocalAuthMode = Extract<AuthMode, { kind: "no-auth" | "admin-secret" }>;

export function createAuthenticator(
  mode: LocalAuthMode,
  origins: CorsDomains,
  { alias = null, log, hostCheck }: Pick<Partial<AuthenticatorTools>, "alias" | "log" | "hostCheck"> = {},
): Authenticator {
  if (mode.kind === "no-auth") {
    if (hostCheck) throw needsSecret();
    return runChecks({ origins, alias }, [trustedSession]);
  }
  const last = withoutCredential(mode.unauthorizedRole, refuseWithoutSecret);
  const misplaced = log === undefined ? [] : [misplacedCredentials(mode, log)];
  const own = hostCheck ? [hostCheck, refuseForeignCookie] : [];
  return runChecks({ origins, alias }, [adminSecretCheck(mode.secrets), ...own, ...misplaced, last]);
}

/** Returns the error for a host check on a server without an admin secret, which runs every request as admin. */
function needsSecret(): ConfigurationError {
  const message =
    "session of the configuration requires --admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET); without it, every request may choose its role";
  return new ConfigurationError([{ setting: null, message }]);
}

/**
 * Creates the authenticator of a mode. Resolves when it can authenticate requests.
 * @throws ConfigurationError if keys cannot be fetched
 */
export async function startAuthenticator(mode: AuthMode, tools: AuthenticatorTools): Promise<RunningAuthenticator> {
  const { origins, log, hostCheck, mcpAudience } = tools;
  // The modules of the other modes are loaded on demand, because loading them takes longer than loading all other
  // modules of authentication.
  switch (mode.kind) {
    case "no-auth":
    case "admin-secret":
      return { ...createAuthenticator(mode, origins, tools), close: () => Promise.resolve() };
    case "jwt": {
      const { openVerifiers } = await import("./jwt/open-verifiers.ts");
      const { verifiers, close } = await openVerifiers(mode.configs, tools);
      const last = withoutCredential(mode.unauthorizedRole, refuseWithoutToken);
      const readsCookies = mode.configs.some(({ settings }) => settings.token.kind === "cookie");
      const cookies = readsCookies || hostCheck ? [refuseForeignCookie] : [];
      const own = hostCheck ? [hostCheck] : [];
      return {
        ...runChecks(tools, [
          ...[adminSecretCheck(mode.secrets), ...own, jwtCheck(verifiers, mcpAudience), ...cookies],
          ...[misplacedCredentials(mode, log), last],
        ]),
        close,
      };
    }
    case "webhook": {
      const { openWebhook } = await import("./webhook/open-webhook.ts");
      const { check, close } = openWebhook(mode.hook, tools);
      // If a request has another credential, that credential authenticates it and the cookie is ignored.
      const cookies: CredentialCheck = (headers, context) =>
        headers.authorization === undefined ? refuseForeignCookie(headers, context) : null;
      const own = hostCheck ? [hostCheck] : [];
      return {
        ...runChecks(tools, [adminSecretCheck(mode.secrets), ...own, cookies, misplacedCredentials(mode, log), check]),
        close,
      };
    }
  }
}

type Outcome = ReturnType<Authenticator["authenticate"]>;

/**
 * Runs the checks in order until one returns a session.
 * @param checks the last check never returns `null`
 */
function runChecks(
  { origins, alias = null }: Pick<AuthenticatorTools, "origins" | "alias">,
  checks: readonly CredentialCheck[],
): Authenticator {
  const runFrom = (at: number, headers: RequestHeaders, context: CheckContext): Outcome => {
    const check = checks[at];
    invariant(check, "the last check decides");
    const use = (session: AuthenticatedSession | null): Outcome =>
      session === null ? runFrom(at + 1, headers, context) : withClientHeaders(session, headers, alias);
    const session = check(headers, context);
    return session instanceof Promise ? session.then(use) : use(session);
  };
  return {
    authenticate(headers, { method, audience, cookieIsChecked = false, graphql, besideHeaders } = {}) {
      const lacksForeignCookie = !cookieIsChecked && hasForeignCookie(headers, method, origins);
      const trusted = lacksForeignCookie ? { ...headers, cookie: undefined } : headers;
      const own = alias === null ? trusted : toEngineHeaders(trusted, alias);
      return runFrom(0, own, { graphql, besideHeaders, method, audience, lacksForeignCookie, sent: trusted });
    },
  };
}

/**
 * Adds the client's headers to a session. Copies member by member, because objects built by spread are slower to create
 * and to read and this runs for every request.
 */
function withClientHeaders(
  session: AuthenticatedSession,
  clientHeaders: RequestHeaders,
  alias: string | null,
): AuthenticatedSession {
  const { role, backendOnly, expiresAt, setCookies, choosesRole, scopes } = session;
  const variables = underBothNames(session.variables, alias);
  return { role, variables, backendOnly, clientHeaders, expiresAt, setCookies, choosesRole, scopes };
}

function adminSecretCheck(configured: readonly Secret[]): CredentialCheck {
  const secrets = new AdminSecrets(configured);
  return (headers) => {
    const sent = headers[adminSecretHeader] ?? headers[accessKeyHeader];
    if (sent === undefined) return null;
    if (secrets.matches(sent)) return trustedSession(headers);
    throw accessDenied(`invalid ${secretNames}`);
  };
}

function refuseForeignCookie(_headers: RequestHeaders, { lacksForeignCookie }: CheckContext): null {
  if (lacksForeignCookie) throw foreignCookie();
  return null;
}

/** Handles requests without any credential of the mode. */
function withoutCredential(role: string | null, refuse: () => never): CredentialCheck {
  return role === null ? refuse : (headers) => untrustedSession(headers, role);
}

function refuseWithoutSecret(): never {
  throw accessDenied(`${secretNames} required, but not found`);
}

function refuseWithoutToken(): never {
  throw invalidHeaders("Missing 'Authorization' or 'Cookie' header in JWT authentication mode");
}

const secretNames = `${adminSecretHeader}/${accessKeyHeader}`;

function accessDenied(message: string): EngineError {
  return new EngineError("access-denied", "$", message, { status: 401 });
}

// Misplaced credentials are sent under the header name of another engine or product, or next to `headers` in the
// payload of `connection_init`. They are ignored. The server logs one warning for each kind, so that operators can find
// the mistake.

const peerSecret = `${peerPrefix}admin-secret`;
/** Names of headers for admin secrets in other products. */
const otherNames = ["apikey", "api-key", "x-api-key", "admin-secret", "x-admin-secret"] as const;
/**
 * Members of a payload that are probably credentials. Only these names are logged, never names that the client chose.
 */
const beside = [
  ...["authorization", "authtoken", "token", adminSecretHeader, accessKeyHeader, roleHeader],
  ...[peerSecret, `${peerPrefix}role`, ...otherNames],
];

interface Finding {
  readonly header: string;
  readonly message: string;
}

/** Returns a check that only logs; it runs after the checks of the admin secret and of the host program. */
function misplacedCredentials({ kind }: Pick<AuthMode, "kind">, log: Log): CredentialCheck {
  const logged = new Set<string>();
  return (headers, { besideHeaders = [] }) => {
    for (const { header, message } of [...inHeaders(headers, kind), ...inPayload(besideHeaders)]) {
      if (logged.has(message)) continue;
      logged.add(message);
      log.warn("unstructured", { message, header });
    }
    return null;
  };
}

function* inHeaders(headers: Parameters<CredentialCheck>[0], mode: AuthMode["kind"]): Iterable<Finding> {
  if (headers[peerSecret] !== undefined) {
    const remedy = `send ${adminSecretHeader}, or start the server with --header-alias ${peerPrefix}=${sessionPrefix}`;
    yield { header: peerSecret, message: `header ${peerSecret} is ignored; ${remedy}` };
  }
  // A webhook may use all other headers.
  if (mode === "webhook") return;
  for (const header of otherNames) {
    if (headers[header] === undefined) continue;
    yield { header, message: `header ${header} is ignored; send the admin secret in ${adminSecretHeader}` };
  }
  if (mode === "admin-secret" && /^bearer /i.test(headers.authorization ?? "")) {
    const message =
      "tokens in the header authorization are ignored; the server has neither --jwt-secret nor --auth-hook";
    yield { header: "authorization", message };
  }
}

function* inPayload(names: readonly string[]): Iterable<Finding> {
  const lower = new Set(names.map((name) => name.toLowerCase()));
  for (const header of beside) {
    if (!lower.has(header)) continue;
    const message = `"${header}" in the payload of connection_init is ignored; send credentials in its "headers", {"headers": {"${expected(header)}": …}}`;
    yield { header, message };
  }
}

function expected(name: string): string {
  if (name === roleHeader || name === `${peerPrefix}role`) return roleHeader;
  return /^auth|^token/.test(name) ? "authorization" : adminSecretHeader;
}
