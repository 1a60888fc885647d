/** A webhook that records its requests, and behaves as a test defines. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface ReceivedCall {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds of `performance.now`. */
  readonly at: number;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly ReceivedCall[];
  close(): Promise<void>;
}

export type Behaviour = (response: ServerResponse, call: ReceivedCall, request: IncomingMessage) => void;

/**
 * @param behave ends the response; by default it is 200 without a body
 */
export async function startWebhookReceiver(behave: Behaviour = (response) => response.end()): Promise<WebhookReceiver> {
  const received: ReceivedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", method = "", headers } = request;
      const each = { path, method, headers, body: Buffer.concat(chunks).toString("utf8"), at: performance.now() };
      received.push(each);
      behave(response, each, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
