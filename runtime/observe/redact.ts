/** Takes secrets out of what is about to be logged, wherever they stand in it. */
import { redacted, Secret } from "../config/secret.ts";

/** Names of headers and members whose value is never logged, in lower case. */
const secretNames: ReadonlySet<string> = new Set([
  "access-token",
  "authorization",
  "cookie",
  "set-cookie",
  "x-engine-admin-secret",
  "x-engine-access-key",
  "admin_secret",
  "access_key",
  "jwt_secret",
  "password",
]);

/** Whether a header or a member of this name is never logged. */
export function isSecretName(name: string): boolean {
  return secretNames.has(name.toLowerCase());
}

/** A copy of plain data with the values of secret members replaced; errors become their message and stack. */
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
