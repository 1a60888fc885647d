/** A GraphQL server outside the engine: what a remote schema points at. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSchema, graphqlSync } from "graphql";

export interface RemoteGraphql {
  readonly port: number;
  /** Of all requests so far. */
  readonly headers: IncomingHttpHeaders[];
  /** Ends it, with the connections to it. */
  close(): Promise<void>;
}

/** @param sdl of its schema; every field is null @param port 0: a free one */
export async function startRemoteGraphql(sdl: string, port = 0): Promise<RemoteGraphql> {
  const schema = buildSchema(sdl);
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    let text = "";
    request.on("data", (chunk) => (text += chunk));
    request.on("end", () => {
      const { query } = JSON.parse(text) as { query: string };
      response.end(JSON.stringify(graphqlSync({ schema, source: query })));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
