/** The server that a project moves from, as `--fallback` calls it: records requests and returns a fixed response. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface OldRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface OldEngine {
  readonly url: string;
  /** All requests so far. */
  readonly requests: OldRequest[];
  /** Writes the responses; tests may replace it. */
  respond: (request: OldRequest, response: ServerResponse) => void;
  close(): Promise<void>;
}

export const oldAnswer = '{"data": {"article":  [{"id": 12345678901234567890}]}}';

export const respondWithArticle: OldEngine["respond"] = (_, response) =>
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "x-old": "internal" }).end(oldAnswer);

export async function startOldEngine(): Promise<OldEngine> {
  const requests: OldRequest[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const received = { method, url, headers, body };
      requests.push(received);
      old.respond(received, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const old: OldEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond: respondWithArticle,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return old;
}
