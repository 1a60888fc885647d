/**
 * Request headers → session: the credential checks of the server's mode in their order (`permissions-and-auth.md` 3).
 * A further kind of credential is a further check in the list of its mode.
 */
import type { Secret } from "../config/secret.ts";
import type { AuthenticatedSession, AuthenticationContext, Authenticator, RequestHeaders } from "../http/services.ts";
import type { Log } from "../observe/log.ts";
import { EngineError, invariant } from "../support/errors.ts";
import { AdminSecrets } from "./admin-secret.ts";
import type { CredentialCheck } from "./credential-check.ts";
import { accessKeyHeader, adminSecretHeader } from "./headers.ts";
import { invalidHeaders } from "./jwt/errors.ts";
import { jwtCheck } from "./jwt/jwt-check.ts";
import type { AuthMode } from "./mode.ts";
import { trustedSession, untrustedSession } from "./session.ts";

export interface AuthenticatorTools {
  readonly log: Log;
  /** Of the product. */
  readonly version: string;
}

export interface RunningAuthenticator extends Authenticator {
  /** Ends calls of other services, for keys or sessions. */
  close(): Promise<void>;
}

/** Modes in which the headers alone decide. */
export type LocalAuthMode = Extract<AuthMode, { kind: "no-auth" | "admin-secret" }>;

export function createAuthenticator(mode: LocalAuthMode): Authenticator {
  if (mode.kind === "no-auth") return runChecks([trustedSession]);
  return runChecks([adminSecretCheck(mode.secrets), withoutCredential(mode.unauthorizedRole, refuseWithoutSecret)]);
}

/**
 * Resolves when requests can be authenticated.
 * @throws ConfigurationError when that cannot be, because keys could not be fetched
 */
export async function startAuthenticator(mode: AuthMode, tools: AuthenticatorTools): Promise<RunningAuthenticator> {
  // What the other modes need takes longer to load than all the rest of authentication.
  switch (mode.kind) {
    case "no-auth":
    case "admin-secret":
      return { ...createAuthenticator(mode), close: () => Promise.resolve() };
    case "jwt": {
      const { openVerifiers } = await import("./jwt/open-verifiers.ts");
      const { verifiers, close } = await openVerifiers(mode.configs, tools.log);
      const last = withoutCredential(mode.unauthorizedRole, refuseWithoutToken);
      return { ...runChecks([adminSecretCheck(mode.secrets), jwtCheck(verifiers), last]), close };
    }
    case "webhook": {
      const { openWebhook } = await import("./webhook/open-webhook.ts");
      const { check, close } = openWebhook(mode.hook, tools);
      return { ...runChecks([adminSecretCheck(mode.secrets), check]), close };
    }
  }
}

type Answer = ReturnType<Authenticator["authenticate"]>;

/** @param checks the last one never answers `null` */
function runChecks(checks: readonly CredentialCheck[]): Authenticator {
  const askFrom = (at: number, headers: RequestHeaders, context: AuthenticationContext): Answer => {
    const check = checks[at];
    invariant(check, "the last check decides");
    const use = (session: AuthenticatedSession | null): Answer =>
      session === null ? askFrom(at + 1, headers, context) : withClientHeaders(session, headers);
    const answer = check(headers, context);
    return answer instanceof Promise ? answer.then(use) : use(answer);
  };
  return { authenticate: (headers, context = {}) => askFrom(0, headers, context) };
}

/** Member by member: every request has a session, and objects that were spread are slow to make and to read. */
function withClientHeaders(session: AuthenticatedSession, clientHeaders: RequestHeaders): AuthenticatedSession {
  const { role, variables, backendOnly, expiresAt, setCookies } = session;
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
