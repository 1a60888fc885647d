/** An action handler in a separate HTTP server. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that the handler received. */
export interface ActionRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ActionHandlerServer {
  readonly port: number;
  /** All requests so far. */
  readonly requests: ActionRequest[];
  /** Stops the server and closes its connections. */
  close(): Promise<void>;
}

/** Starts a handler. @param answer responds to a request, or does not respond */
export async function startActionHandler(
  answer: (request: ActionRequest, response: ServerResponse) => void,
): Promise<ActionHandlerServer> {
  const requests: ActionRequest[] = [];
  const server = createServer((message, response) => {
    let text = "";
    message.on("data", (chunk) => (text += chunk));
    message.on("end", () => {
      const { url: path = "", method = "", headers } = message;
      const request = { path, method, headers, text };
      requests.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
