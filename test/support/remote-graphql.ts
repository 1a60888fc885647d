/** A GraphQL server outside the engine: the target of a remote schema. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphql } from "graphql";

/** The contents of a request. */
export interface RemoteRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly operationName?: string;
}

export interface RemoteGraphql {
  readonly port: number;
  /** All requests so far, without introspection. */
  readonly requests: RemoteRequest[];
  /** The headers of all requests so far. */
  readonly headers: IncomingHttpHeaders[];
  /** Stops the server and closes its connections. */
  close(): Promise<void>;
}

export interface RemoteOptions {
  /** Resolvers of the root fields, as values or functions of the arguments; absent: every field is null. */
  readonly root?: object;
  /** The headers of each response. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the response to requests other than introspection. */
  readonly answer?: (request: RemoteRequest) => string | Promise<string>;
  /** Called when a client aborts a request before the response. */
  readonly onTakenBack?: () => void;
}

/** Starts the server. @param sdl SDL of its schema @param port 0 for a free port */
export async function startRemoteGraphql(
  sdl: string,
  port = 0,
  { root, headers: answerHeaders = {}, answer, onTakenBack }: RemoteOptions = {},
): Promise<RemoteGraphql> {
  const schema = buildSchema(sdl);
  const requests: RemoteRequest[] = [];
  const run = async (request: RemoteRequest): Promise<string> => {
    const { query, variables, operationName } = request;
    const isIntrospection = query.includes("__schema");
    if (!isIntrospection) requests.push(request);
    if (answer && !isIntrospection) return answer(request);
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
