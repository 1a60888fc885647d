/**
 * Request headers → session: the credential checks of the server's mode in their order (`permissions-and-auth.md` 3).
 * A further kind of credential is a further check in the list of its mode.
 */
import { ConfigurationError } from "../../config/configuration-error.ts";
import type { CorsDomains } from "../../config/cors-domains.ts";
import type { Secret } from "../../config/secret.ts";
import type { Log } from "../../observe/logs/log.ts";
import type { AuthenticatedSession, Authenticator } from "../../ports/authentication.ts";
import type { RequestHeaders } from "../../ports/headers.ts";
import { EngineError, invariant } from "../../values/errors.ts";
import type { OutboundRules } from "../../values/outbound-rules.ts";
import { underBothNames } from "../../values/session-alias.ts";
import { AdminSecrets } from "./admin-secret.ts";
import type { CheckContext, CredentialCheck } from "./credential-check.ts";
import { foreignCookie, hasForeignCookie } from "./foreign-cookie.ts";
import { accessKeyHeader, adminSecretHeader, underOwnHeaders } from "./headers.ts";
import { invalidHeaders } from "./jwt/errors.ts";
import { jwtCheck } from "./jwt/jwt-check.ts";
import { misplacedCredentials } from "./misplaced-credentials.ts";
import type { AuthMode } from "./mode.ts";
import { trustedSession, untrustedSession } from "./session.ts";

export interface AuthenticatorTools {
  readonly log: Log;
  /** Of the product. */
  readonly version: string;
  /** The origins whose pages may send cookies. */
  readonly origins: CorsDomains;
  /** Another prefix that is taken for ours (`--header-alias`); absent: there is none. */
  readonly alias?: string | null;
  /** Where hooks and keys may be; absent: everywhere but where credentials are given away. */
  readonly outbound?: OutboundRules;
  /** Of the program around the server: asked after the admin secret. Absent: there is none. */
  readonly hostCheck?: CredentialCheck | undefined;
}

export interface RunningAuthenticator extends Authenticator {
  /** Ends calls of other services, for keys or sessions. */
  close(): Promise<void>;
}

/** Modes in which the headers alone decide. */
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

/** Without a secret everybody is an administrator, whoever the program says they are. */
function needsSecret(): ConfigurationError {
  const message =
    "session of the configuration requires --admin-secret (ENGINE_GRAPHQL_ADMIN_SECRET) to be set: without it, every request may name its role";
  return new ConfigurationError([{ setting: null, message }]);
}

/**
 * Resolves when requests can be authenticated.
 * @throws ConfigurationError when that cannot be, because keys could not be fetched
 */
export async function startAuthenticator(mode: AuthMode, tools: AuthenticatorTools): Promise<RunningAuthenticator> {
  const { origins, log, hostCheck } = tools;
  // What the other modes need takes longer to load than all the rest of authentication.
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
          ...[adminSecretCheck(mode.secrets), ...own, jwtCheck(verifiers), ...cookies],
          ...[misplacedCredentials(mode, log), last],
        ]),
        close,
      };
    }
    case "webhook": {
      const { openWebhook } = await import("./webhook/open-webhook.ts");
      const { check, close } = openWebhook(mode.hook, tools);
      // A request that brings another credential is served by that one, without its cookie.
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

type Answer = ReturnType<Authenticator["authenticate"]>;

/** @param checks the last one never answers `null` */
function runChecks(
  { origins, alias = null }: Pick<AuthenticatorTools, "origins" | "alias">,
  checks: readonly CredentialCheck[],
): Authenticator {
  const askFrom = (at: number, headers: RequestHeaders, context: CheckContext): Answer => {
    const check = checks[at];
    invariant(check, "the last check decides");
    const use = (session: AuthenticatedSession | null): Answer =>
      session === null ? askFrom(at + 1, headers, context) : withClientHeaders(session, headers, alias);
    const answer = check(headers, context);
    return answer instanceof Promise ? answer.then(use) : use(answer);
  };
  return {
    authenticate(headers, { method, cookieIsChecked = false, graphql, besideHeaders } = {}) {
      const lacksForeignCookie = !cookieIsChecked && hasForeignCookie(headers, method, origins);
      const believed = lacksForeignCookie ? { ...headers, cookie: undefined } : headers;
      const own = alias === null ? believed : underOwnHeaders(believed, alias);
      return askFrom(0, own, { graphql, besideHeaders, method, lacksForeignCookie, sent: believed });
    },
  };
}

/** Member by member: every request has a session, and objects that were spread are slow to make and to read. */
function withClientHeaders(
  session: AuthenticatedSession,
  clientHeaders: RequestHeaders,
  alias: string | null,
): AuthenticatedSession {
  const { role, backendOnly, expiresAt, setCookies } = session;
  const variables = underBothNames(session.variables, alias);
  return { role, variables, backendOnly, clientHeaders, expiresAt, setCookies };
}

function adminSecretCheck(given: readonly Secret[]): CredentialCheck {
  const secrets = new AdminSecrets(given);
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

/** What becomes of requests that have none of the credentials of their mode. */
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
