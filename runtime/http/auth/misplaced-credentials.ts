/**
 * Credentials where nobody looks for them: under the name of another engine or product, or beside `headers` of a
 * `connection_init`. Requests that bring no others are served, or refused, as if they had none; the log says so, once for each
 * kind, since whoever operates the server would look in vain for the reason.
 */
import type { Log } from "../../observe/logs/log.ts";
import { sessionPrefix } from "../../values/session.ts";
import { peerPrefix } from "../../values/session-alias.ts";
import type { CredentialCheck } from "./credential-check.ts";
import { accessKeyHeader, adminSecretHeader, roleHeader } from "./headers.ts";
import type { AuthMode } from "./mode.ts";

const peerSecret = `${peerPrefix}admin-secret`;
/** What other products call such a secret. */
const otherNames = ["apikey", "api-key", "x-api-key", "admin-secret", "x-admin-secret"] as const;
/** Members of a payload that are meant as credentials: none of these names comes from the client. */
const beside = [
  ...["authorization", "authtoken", "token", adminSecretHeader, accessKeyHeader, roleHeader],
  ...[peerSecret, `${peerPrefix}role`, ...otherNames],
];

interface Finding {
  readonly header: string;
  readonly message: string;
}

/** Decides nothing; stands behind the checks of credentials. */
export function misplacedCredentials({ kind }: Pick<AuthMode, "kind">, log: Log): CredentialCheck {
  const told = new Set<string>();
  return (headers, { besideHeaders = [] }) => {
    for (const { header, message } of [...inHeaders(headers, kind), ...inPayload(besideHeaders)]) {
      if (told.has(message)) continue;
      told.add(message);
      log.warn("unstructured", { message, header });
    }
    return null;
  };
}

function* inHeaders(headers: Parameters<CredentialCheck>[0], mode: AuthMode["kind"]): Iterable<Finding> {
  if (headers[peerSecret] !== undefined) {
    const remedy = `send ${adminSecretHeader}, or start the server with --header-alias ${peerPrefix}=${sessionPrefix}`;
    yield { header: peerSecret, message: `the header ${peerSecret} is not looked at: ${remedy}` };
  }
  // A hook may know all others.
  if (mode === "webhook") return;
  for (const header of otherNames) {
    if (headers[header] === undefined) continue;
    yield { header, message: `the header ${header} is not looked at: send the admin secret as ${adminSecretHeader}` };
  }
  if (mode === "admin-secret" && /^bearer /i.test(headers.authorization ?? "")) {
    const message =
      "tokens in the header authorization are not looked at: the server has neither --jwt-secret nor --auth-hook";
    yield { header: "authorization", message };
  }
}

function* inPayload(names: readonly string[]): Iterable<Finding> {
  const lower = new Set(names.map((name) => name.toLowerCase()));
  for (const header of beside) {
    if (!lower.has(header)) continue;
    const message = `"${header}" of a connection_init is not looked at: credentials belong into its "headers", {"headers": {"${expected(header)}": …}}`;
    yield { header, message };
  }
}

function expected(name: string): string {
  if (name === roleHeader || name === `${peerPrefix}role`) return roleHeader;
  return /^auth|^token/.test(name) ? "authorization" : adminSecretHeader;
}
