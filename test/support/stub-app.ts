/** The HTTP server on a real socket, with services whose responses the test defines. */
import http from "node:http";
import net from "node:net";
import { type Environment, parseOptions } from "../../runtime/config/options.ts";
import type { App } from "../../runtime/http/app.ts";
import { createLog } from "../../runtime/observe/logs/log.ts";
import type { Services } from "../../runtime/ports/services.ts";
import { createLiveApp } from "../../runtime/server/live/app.ts";
import { type Stub, stubServices } from "./stub-services.ts";

export interface StubApp extends Stub {
  readonly app: App;
  readonly port: number;
  readonly url: string;
  /** The lines of the log. */
  readonly lines: readonly string[];
}

export async function startStubApp(environment: Environment = {}, overrides: Partial<Services> = {}): Promise<StubApp> {
  const given = { ENGINE_GRAPHQL_SERVER_HOST: "127.0.0.1", ENGINE_GRAPHQL_SERVER_PORT: "0", ...environment };
  const lines: string[] = [];
  const stub = stubServices(overrides);
  const options = parseOptions({}, given);
  const log = createLog(options, { write: (line) => void lines.push(line) });
  const app = createLiveApp(stub.services, { ...options, version: "1.2.3" }, log);
  const { port } = await app.listen();
  return { ...stub, app, port, url: `http://127.0.0.1:${port}`, lines };
}

export interface HttpAnswer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request. @param body parts are sent with `Transfer-Encoding: chunked` */
export function send(
  url: string,
  { body, ...options }: http.RequestOptions & { readonly body?: string | readonly Buffer[] } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent: false, ...options }, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode, headers: response.headers, body: text });
    });
    request.on("error", reject);
    if (typeof body === "string") request.end(body);
    else {
      for (const chunk of body ?? []) request.write(chunk);
      request.end();
    }
  });
}

export const post = (url: string, body: string | readonly Buffer[], headers: http.OutgoingHttpHeaders = {}) =>
  send(url, { method: "POST", body, headers });

/** Sends bytes and returns the response, until the server closes the socket. */
export function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("latin1").on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text)).on("error", reject);
  });
}
