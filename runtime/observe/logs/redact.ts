/** Takes secrets out of what is about to be logged, wherever they stand in it. */
import { redacted, Secret } from "../../config/secret.ts";

/** Names of headers and members whose value is never logged, in lower case. */
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

/** Secrets of any prefix: that of `--header-alias`, or of a client that means another engine. */
const secretHeader = /^x-[a-z0-9]+-(?:admin-secret|access-key)$/;

/** Whether a header or a member of this name is never logged. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  return secretNames.has(lower) || secretHeader.test(lower);
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
