/** Compares the remote schemas of an artifact with the current schemas of their servers. */
import { getIntrospectionQuery } from "graphql";
import type { Options } from "../../config/option-table.ts";
import type { Environment } from "../../config/options.ts";
import { type RemoteFacts, remoteDrift, remoteFacts } from "../../execute/remote/remote-facts.ts";
import { remoteHeaders } from "../../execute/remote/remote-headers.ts";
import type { Log } from "../../observe/logs/log.ts";
import { callFailure, HttpClient } from "../../outbound/http-client.ts";
import { resolveTemplate } from "../../values/environment-template.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { Session } from "../../values/session.ts";
import type { SealedRemoteSchema, SealedSettings } from "./artifact.ts";

export interface RemoteDriftSettings {
  readonly drift: "refuse" | "warn";
  readonly options: Pick<Options, "outboundAllow">;
  readonly environment: Environment;
  readonly log: Log;
}

/** Servers that do not respond in time are not compared, so that they do not delay the start. */
const timeoutMilliseconds = 1000;
const limits = {
  milliseconds: timeoutMilliseconds,
  connections: 1,
  callsAtOnce: 1000,
  responseBytes: 32 * 2 ** 20,
  redirects: 0,
};

/** @throws EngineError if a server's schema has harmful differences; unreachable servers cause warnings */
export async function checkRemoteDrift(
  { remoteSchemas = [], tlsAllowlist, version }: SealedSettings,
  { drift, options, environment, log }: RemoteDriftSettings,
): Promise<void> {
  if (remoteSchemas.length === 0) return;
  const client = new HttpClient({ ...limits, outbound: options.outboundAllow }, () => tlsAllowlist);
  const warn = (name: string, difference: string): void =>
    log.warn("startup", { kind: "drift", info: { remote_schema: name, difference } });
  try {
    await Promise.all(
      remoteSchemas.map(async (remote) => {
        const { name } = remote.server;
        const found = await factsOf(remote, { client, environment, version });
        if ("reason" in found) return warn(name, `its schema was not compared: ${found.reason}`);
        const { harmful, harmless } = remoteDrift(remote.facts, found.facts);
        if (harmful.length > 0 && drift === "refuse") {
          const message = `the schema of remote schema ${name} differs from the artifact's (--drift=warn starts anyway):\n${harmful.join("\n")}`;
          throw new EngineError("not-supported", "$", message);
        }
        for (const difference of [...harmful, ...harmless]) warn(name, difference);
      }),
    );
  } finally {
    await client.close();
  }
}

/** The session of the server's own request. */
const noSession: Session = { role: "admin", variables: new Map(), backendOnly: false };

interface FetchSettings {
  readonly client: HttpClient;
  readonly environment: Environment;
  readonly version: string;
}

async function factsOf(
  { server }: SealedRemoteSchema,
  { client, environment, version }: FetchSettings,
): Promise<{ readonly facts: RemoteFacts } | { readonly reason: string }> {
  try {
    const { text } = await client.call({
      method: "POST",
      url: resolveTemplate(server.url, environment),
      headers: remoteHeaders(server, noSession, { environment, version }),
      body: JSON.stringify({ query: getIntrospectionQuery({ descriptions: false }) }),
    });
    const response: unknown = JSON.parse(text);
    const schema = isObject(response) && isObject(response.data) ? response.data.__schema : undefined;
    return isObject(schema) ? { facts: remoteFacts(schema) } : { reason: "the response contains no schema" };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? "the response is not JSON" : callFailure(error) };
  }
}
