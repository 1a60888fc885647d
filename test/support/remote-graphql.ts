/** A GraphQL server outside the engine: what a remote schema points at. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql } from "graphql";

/** What a request asked. */
export interface RemoteRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export interface RemoteGraphql {
  readonly port: number;
  /** All requests so far, without introspection. */
  readonly requests: RemoteRequest[];
  /** Of all requests so far. */
  readonly headers: IncomingHttpHeaders[];
  /** Ends it, with the connections to it. */
  close(): Promise<void>;
}

export interface RemoteOptions {
  /** Its members answer the root fields, as values or as functions of the arguments; absent: every field is null. */
  readonly root?: object;
  /** Of each answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of an answer to what is no introspection. */
  readonly answer?: (request: RemoteRequest) => string | Promise<string>;
  /** Called when a request has ended without an answer. */
  readonly onTakenBack?: () => void;
}

/** @param sdl of its schema @param port 0: a free one */
export async function startRemoteGraphql(
  sdl: string,
  port = 0,
  { root, headers: answerHeaders = {}, answer, onTakenBack }: RemoteOptions = {},
): Promise<RemoteGraphql> {
  const schema = buildSchema(sdl);
  const requests: RemoteRequest[] = [];
  const run = async (asked: RemoteRequest): Promise<string> => {
    const { query, variables, operationName } = asked;
    const isIntrospection = query.includes("__schema");
    if (!isIntrospection) requests.push(asked);
    if (answer && !isIntrospection) return answer(asked);
    const given = { ...(variables && { variableValues: variables }), ...(operationName && { operationName }) };
    return JSON.stringify(await graphql({ schema, source: query, rootValue: root, ...given }));
  };
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.on("close", () => {
      if (!response.writableFinished) onTakenBack?.();
    });
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      for (const [name, value] of Object.entries(answerHeaders)) response.setHeader(name, value);
      void run(JSON.parse(text) as RemoteRequest).then((body) => response.end(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    headers,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
