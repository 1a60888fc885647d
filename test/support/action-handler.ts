/** A handler of actions outside the engine. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the handler was asked. */
export interface ActionRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ActionHandlerServer {
  readonly port: number;
  /** All so far. */
  readonly requests: ActionRequest[];
  /** Ends it, with the connections to it. */
  close(): Promise<void>;
}

/** @param answer answers a request as it likes, or not at all */
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
