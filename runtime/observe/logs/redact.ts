/** Redacts secrets in data to be logged. */
import { redacted, Secret } from "../../config/secret.ts";

/** Names in lower case of headers and members whose values are never logged. */
const secretNames: ReadonlySet<string> = new Set([
  "access-token",
  "authorization",
  "cookie",
  "set-cookie",
  "admin_secret",
  "access_key",
  "jwt_secret",
  "password",
]);

/** Headers with secrets under any prefix, including aliases and prefixes of other engines. */
const secretHeader = /^x-[a-z0-9]+-(?:admin-secret|access-key)$/;

/** Returns true if values under this name are never logged. */
function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || secretHeader.test(lower);
}

/** Copies plain data, replacing the values of secret members. Errors become their message and stack. */
export function redactSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactSecrets);
  if (value instanceof Error) return { message: value.message, stack: value.stack };
  if (value === null || typeof value !== "object" || value instanceof Secret) return value;
  if ("toJSON" in value && typeof value.toJSON === "function") return value;
  if (value instanceof Map) return redactSecrets(Object.fromEntries(value));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isSecretName(name) && member !== null && member !== undefined ? redacted : redactSecrets(member),
    ]),
  );
}

/** A header with its value, or with the environment variable that contains it. */
export type ConfiguredHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFromEnv: string };

/** Substrings in names of headers that contain credentials. */
const secretParts = /auth|cookie|credential|key|passw|secret|signature|token/i;

/** Returns a header for the log. Omits values from the environment and values whose name suggests a credential. */
export function shownHeader(header: ConfiguredHeader): { readonly name: string; readonly value: string } {
  const { name } = header;
  if (!("value" in header)) return { name, value: `<from_env: ${header.valueFromEnv}>` };
  return { name, value: isSecretName(name) || secretParts.test(name) ? "<REDACTED>" : header.value };
}
