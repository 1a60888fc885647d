/**
 * The server of `engine console`. It serves the console, forwards its requests to the project's server, and writes the
 * project's files. It listens on the loopback address only.
 */

import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { rootCertificates } from "node:tls";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { type ConsoleConfiguration, consoleResponse, consoleSite } from "../../http/console.ts";
import type { PlainResponse } from "../../ports/request.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import { InvalidFiles } from "../invalid-files.ts";
import type { CallMetadata } from "../project/client.ts";
import type { Settings } from "../project/settings.ts";
import type { ScratchServer } from "../scratch/scratch-databases.ts";
import { FollowedMetadata } from "./followed-metadata.ts";
import { type ForwardTarget, forward, forwardUpgrade } from "./forward.ts";
import {
  handleProjectRequest,
  type ProjectApiInput,
  projectPrefix,
  requireOwnHost,
  requireOwnOrigin,
} from "./project-api.ts";
import { ProjectTests } from "./project-tests.ts";

export interface ConsoleServerInput {
  readonly settings: Settings;
  readonly call: CallMetadata;
  /** `0` for any free port. */
  readonly port: number;
  /** Server for the databases of permission tests. */
  readonly scratch: ScratchServer;
  /** Version of the project's server. */
  readonly serverVersion: string;
  /** Receives one line for each change of the project's files. */
  readonly print: (line: string) => void;
}

export interface ConsoleServer {
  /** Contains the key to the project after `#`, which browsers do not send. */
  readonly url: string;
  readonly followed: FollowedMetadata;
  close(): Promise<void>;
}

const address = "127.0.0.1";
const maxBodyBytes = 32 * 1024 * 1024;

/** @throws ConfigurationError if the port is in use */
export async function startConsoleServer(input: ConsoleServerInput): Promise<ConsoleServer> {
  const { settings, call, port, scratch, serverVersion, print } = input;
  const followed = new FollowedMetadata(settings.metadataPath);
  const key = randomBytes(32).toString("base64url");
  const routes = new ConsoleRoutes(
    { settings, call, followed, tests: new ProjectTests({ settings, call, scratch }), key, print },
    {
      consoleMode: "cli",
      isAdminSecretSet: settings.adminSecret !== undefined,
      serverVersion: `v${serverVersion}`,
      enabledApis: [],
      label: "project",
      color: "blue",
      projectServer: settings.endpoint,
    },
    { endpoint: settings.endpoint, verifyTls: settings.verifyTls, ca: await authorities(settings) },
  );
  const server = createServer((request, reply) => void routes.handle(request, reply));
  server.on("upgrade", (request, socket, head) => routes.upgrade(request, socket, head));
  const sockets = new Set<Duplex>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject("code" in error && error.code === "EADDRINUSE" ? inUse(port) : error));
    server.listen(port, address, resolve);
  });
  routes.port = (server.address() as AddressInfo).port;
  return {
    url: `http://${address}:${routes.port}/console#key=${key}`,
    followed,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function inUse(port: number): ConfigurationError {
  const message = `port ${port} is in use by another program; choose another port`;
  return new ConfigurationError([{ setting: "--console-port", message }]);
}

async function authorities({ certificateAuthority }: Settings): Promise<string[] | undefined> {
  if (certificateAuthority === undefined) return undefined;
  return [...rootCertificates, await readFile(certificateAuthority, "utf8")];
}

/** Requests that may change the metadata. */
const changing: ReadonlySet<string> = new Set(["/v1/metadata", "/v1/query", "/v2/query"]);
/** Requests with SQL, which may change the metadata by renaming columns. */
const following: ReadonlySet<string> = new Set(["/v1/query", "/v2/query"]);

class ConsoleRoutes {
  port = 0;
  readonly #project: ProjectApiInput;
  readonly #about: ConsoleConfiguration;
  readonly #target: ForwardTarget;
  readonly #site = consoleSite();

  constructor(project: ProjectApiInput, about: ConsoleConfiguration, target: ForwardTarget) {
    this.#project = project;
    this.#about = about;
    this.#target = target;
  }

  async handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    try {
      await this.#handle(request, reply);
    } catch (error) {
      if (reply.headersSent) reply.destroy();
      else sendError(reply, error);
    }
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    try {
      requireOwnHost(request.headers, this.port);
      requireOwnOrigin(request.headers);
      forwardUpgrade(request, socket, head, this.#target);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    }
  }

  async #handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { headers, method = "GET", url = "/" } = request;
    requireOwnHost(headers, this.port);
    const [path = "/"] = url.split("?", 1);
    // Links on any page may open the console's page, which contains no data.
    const page = method === "GET" ? await consoleResponse(this.#site, path, this.#about) : undefined;
    if (page !== undefined) {
      send(reply, page);
      return;
    }
    requireOwnOrigin(headers);
    if (path.startsWith(projectPrefix)) {
      const projectRequest = { method, path, headers, readBody: () => bodyOf(request) };
      sendJson(reply, 200, await handleProjectRequest(this.#project, projectRequest));
      return;
    }
    if (method !== "POST" || !changing.has(path)) return forward(request, reply, this.#target);
    await this.#project.followed.beforeChange(this.#project.call);
    await forward(request, reply, this.#target, following.has(path) ? () => this.#follow() : undefined);
  }

  /** Writes changes that SQL made to the metadata. A failure is printed, since the SQL has run. */
  async #follow(): Promise<void> {
    const { followed, call, settings, print } = this.#project;
    try {
      if ((await followed.write(call)) === "written") print(`wrote ${settings.metadataPath}`);
    } catch (error) {
      if (!(error instanceof EngineError || error instanceof InvalidFiles)) throw error;
      print(error.message);
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > maxBodyBytes) throw new EngineError("bad-request", "$", "the body is too long", { status: 413 });
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function send(reply: ServerResponse, { status, headers, body }: PlainResponse): void {
  for (const [name, value] of Object.entries(headers)) reply.setHeader(name, value);
  reply.writeHead(status).end(body);
}

function sendJson(reply: ServerResponse, status: number, value: unknown): void {
  const headers = { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" };
  reply.writeHead(status, { ...headers, "x-content-type-options": "nosniff" }).end(JSON.stringify(value));
}

function sendError(reply: ServerResponse, error: unknown): void {
  if (error instanceof EngineError) {
    const { status, path, code, message } = error;
    sendJson(reply, status, { path, error: message, code });
  } else if (error instanceof InvalidFiles) {
    sendJson(reply, 400, { path: "$", error: error.message, code: "invalid-files" });
  } else {
    const message = messageOf(error);
    sendJson(reply, 500, { path: "$", error: `the console failed: ${message}`, code: "unexpected" });
  }
}
