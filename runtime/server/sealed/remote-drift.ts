/** Whether the servers of an artifact's remote schemas still offer what they did when it was built. */
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

/** A start does not wait longer for a server, in milliseconds: what it offers is not compared then. */
const longest = 1000;
const limits = { milliseconds: longest, connections: 1, callsAtOnce: 1000, responseBytes: 32 * 2 ** 20, redirects: 0 };

/** @throws EngineError where requests that the artifact serves could fail at a server; one that is away is a warning */
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
        if ("reason" in found) return warn(name, `what its server offers was not compared: ${found.reason}`);
        const { harmful, harmless } = remoteDrift(remote.facts, found.facts);
        if (harmful.length > 0 && drift === "refuse") {
          const message = `the server of remote schema ${name} does not offer what the artifact was built for (--drift=warn serves it all the same):\n${harmful.join("\n")}`;
          throw new EngineError("not-supported", "$", message);
        }
        for (const difference of [...harmful, ...harmless]) warn(name, difference);
      }),
    );
  } finally {
    await client.close();
  }
}

/** Nobody asks but the server itself. */
const noSession: Session = { role: "admin", variables: new Map(), backendOnly: false };

interface Asking {
  readonly client: HttpClient;
  readonly environment: Environment;
  readonly version: string;
}

async function factsOf(
  { server }: SealedRemoteSchema,
  { client, environment, version }: Asking,
): Promise<{ readonly facts: RemoteFacts } | { readonly reason: string }> {
  try {
    const { text } = await client.call({
      method: "POST",
      url: resolveTemplate(server.url, environment),
      headers: remoteHeaders(server, noSession, { environment, version }),
      body: JSON.stringify({ query: getIntrospectionQuery({ descriptions: false }) }),
    });
    const answer: unknown = JSON.parse(text);
    const schema = isObject(answer) && isObject(answer.data) ? answer.data.__schema : undefined;
    return isObject(schema) ? { facts: remoteFacts(schema) } : { reason: "its answer has no schema" };
  } catch (error) {
    return { reason: error instanceof SyntaxError ? "its answer is not JSON" : callFailure(error) };
  }
}
