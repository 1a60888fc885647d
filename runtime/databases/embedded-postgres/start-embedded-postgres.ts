/**
 * The PostgreSQL that comes with the engine, for a first start without any database and for tests.
 * Input: where to keep the data. Output: a running server's URL, and how to stop it.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { installBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { accountFor, placeDataFolder } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { settlePreviousServer } from "./previous-server.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";

export interface EmbeddedPostgresOptions {
  /** Made when missing; relative to the current directory. It keeps the data across starts. */
  readonly dataDirectory: string;
  /** Of 127.0.0.1; a free one unless given. */
  readonly port?: number;
  /** Gets what PostgreSQL writes to its log, line by line, and what is done to start it. */
  readonly log?: (line: string) => void;
  /** `false`: faster, and a crash of the machine may destroy the data. For tests. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** With the superuser's password: not for logs. */
  readonly url: string;
  readonly port: number;
  /** Where the data really is: not below the folder asked for when PostgreSQL's account cannot enter that one. */
  readonly dataDirectory: string;
  /** Resolves when the server has stopped. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the server ended: with an error when nobody had called `stop`. */
  readonly ended: Promise<EmbeddedPostgresError | undefined>;
}

/** How often another free port is looked for, when a program took the one found in the moment before its use. */
const portAttempts = 5;

/**
 * Starts PostgreSQL on a data folder, which it makes the first time. The server ends with this process, however that
 * one ends.
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const durable = options.durable ?? true;
  const requested = resolve(options.dataDirectory);
  const account = await accountFor(requested);
  const binaries = await installBinaries(account);
  const folder = await placeDataFolder(requested, account);
  if (folder !== requested) log(`the data of ${requested} is kept in ${folder}`);
  const cluster = await openCluster(folder, account, binaries, durable);
  await settlePreviousServer(cluster.path, log);
  const { server, port } = await startOnPort({ binaries, account, cluster, durable, log }, options.port);
  return {
    url: `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`,
    port,
    dataDirectory: folder,
    stop: server.stop,
    ended: server.ended,
  };
}

async function startOnPort(
  options: Omit<ServerOptions, "port">,
  wanted: number | undefined,
): Promise<{ readonly server: Server; readonly port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await findFreePort());
    try {
      return { server: await startServer({ ...options, port }), port };
    } catch (error) {
      const taken = error instanceof EmbeddedPostgresError && error.reason === "port-taken";
      if (!taken || wanted !== undefined || attempt === portAttempts) throw error;
    }
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("invariant: a TCP server has a port");
  return address.port;
}
