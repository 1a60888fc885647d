/** What the log shows of a header that the metadata configures. */
import { isSecretName } from "./redact.ts";

export type ConfiguredHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly valueFromEnv: string };

/** Parts of names of headers that carry credentials, whatever service wants them. */
const secretParts = /auth|cookie|credential|key|passw|secret|signature|token/i;

/** The value is left out where it comes from the environment, and where the name says that it is a credential. */
export function shownHeader(header: ConfiguredHeader): { readonly name: string; readonly value: string } {
  const { name } = header;
  if (!("value" in header)) return { name, value: `<from_env: ${header.valueFromEnv}>` };
  return { name, value: isSecretName(name) || secretParts.test(name) ? "<REDACTED>" : header.value };
}
