/** A webhook that records what it is told, and behaves as a test wants. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Told {
  readonly path: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Milliseconds of `performance.now`. */
  readonly at: number;
}

export interface WebhookReceiver {
  readonly url: string;
  readonly told: readonly Told[];
  close(): Promise<void>;
}

export type Behaviour = (response: ServerResponse, told: Told, request: IncomingMessage) => void;

/** @param behave ends the answer; it is 200 without a body unless given */
export async function startWebhookReceiver(behave: Behaviour = (response) => response.end()): Promise<WebhookReceiver> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", method = "", headers } = request;
      const each = { path, method, headers, body: Buffer.concat(chunks).toString("utf8"), at: performance.now() };
      told.push(each);
      behave(response, each, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    told,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
