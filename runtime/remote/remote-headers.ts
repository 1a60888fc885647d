/** The headers of a request to a remote server (`automation.md` E.5). */
import type { RemoteServer } from "../definitions/remote/remote-server.ts";
import { callHeaders, type HeaderSettings } from "../deliver/call-headers.ts";
import { EngineError } from "../values/errors.ts";
import type { Session } from "../values/session.ts";

/** Configured ones win over session variables, these win over what the client sent. */
export function remoteHeaders(
  { headers: configured, forwardClientHeaders: forwardClient }: RemoteServer,
  { variables, clientHeaders: client = {}, span }: Session,
  settings: Pick<HeaderSettings, "environment" | "version">,
): Readonly<Record<string, string>> {
  const withoutConfigured = callHeaders(
    { configured: [], client, forwardClient, span },
    { ...settings, configuredFirst: true },
  );
  const own = callHeaders({ configured, client: {}, forwardClient: false }, { ...settings, configuredFirst: true });
  const given = configured.map(({ name }) => name.toLowerCase());
  return {
    ...withoutConfigured,
    ...Object.fromEntries([...variables].map(sessionHeader)),
    ...Object.fromEntries(given.map((name) => [name, own[name] ?? ""])),
  };
}

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these end a header
const control = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** @throws EngineError where a session variable cannot be sent as a header */
function sessionHeader([name, value]: readonly [string, string]): readonly [string, string] {
  if (headerName.test(name) && !control.test(value)) return [name, Buffer.from(value).toString("latin1")];
  throw new EngineError("bad-request", "$", `the session variable ${JSON.stringify(name)} cannot be sent as a header`);
}
