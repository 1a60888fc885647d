/** Formats configured headers for the log. */
import { isSecretName } from "./redact.ts";

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
