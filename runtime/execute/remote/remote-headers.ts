/** Headers of requests to remote schemas (`docs/how-to/remote-schemas.md`). */
import type { RemoteServer } from "../../model/definitions/remote/remote-server.ts";
import { callHeaders, type HeaderSettings } from "../../outbound/call-headers.ts";
import { EngineError } from "../../values/errors.ts";
import type { Session } from "../../values/session.ts";

/** Merges headers. Configured headers override session variables, which override forwarded client headers. */
export function remoteHeaders(
  { headers: configured, forwardClientHeaders: forwardClient }: RemoteServer,
  { variables, clientHeaders: client = {}, span }: Session,
  settings: Pick<HeaderSettings, "environment" | "version">,
): Readonly<Record<string, string>> {
  const rules = { environment: settings.environment, version: settings.version, configuredFirst: true };
  const headers = callHeaders({ configured: [], client, forwardClient, span }, rules);
  for (const [name, value] of variables) headers[name] = sessionHeader(name, value);
  if (configured.length === 0) return headers;
  const configuredValues = callHeaders({ configured, client: {}, forwardClient: false }, rules);
  for (const { name } of configured) headers[name.toLowerCase()] = configuredValues[name.toLowerCase()] ?? "";
  return headers;
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: headers must not contain control characters
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

const isPlain = /^[\t -~]*$/;

/** Returns the UTF-8 bytes of a value, one character per byte. */
const bytesOf = (value: string): string => Buffer.from(value).toString("latin1");

/**
 * Returns a session variable as a header.
 * @throws EngineError if the session variable cannot be sent as a header
 */
function sessionHeader(name: string, value: string): string {
  if (headerName.test(name) && !control.test(value)) return isPlain.test(value) ? value : bytesOf(value);
  throw new EngineError("bad-request", "$", `the session variable ${JSON.stringify(name)} cannot be sent as a header`);
}
