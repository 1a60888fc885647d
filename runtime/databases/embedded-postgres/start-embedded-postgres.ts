/**
 * The PostgreSQL bundled with the engine, for tests and for a first start without a database. Input: the data folder.
 * Output: the URL of a running server and a handle to stop it.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { installBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { accountFor, placeDataFolder } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { settlePreviousServer } from "./previous-server.ts";
import { type Server, type ServerOptions, startServer } from "./server.ts";

export interface EmbeddedPostgresOptions {
  /** Created if missing, relative to the current directory. Its data persists across starts. */
  readonly dataDirectory: string;
  /** Port on 127.0.0.1. Default: a free port. */
  readonly port?: number;
  /** Receives the log lines of PostgreSQL and of its start. */
  readonly log?: (line: string) => void;
  /** Called each time when a program of PostgreSQL, whose work takes a while, has started. */
  readonly onProgram?: () => void;
  /** Folder of another version of the npm package with the programs. For tests. */
  readonly packageFolder?: string | undefined;
  /** `false` is faster, but a crash of the machine may destroy the data. For tests. */
  readonly durable?: boolean;
}

export interface EmbeddedPostgres {
  /** Contains the superuser's password: do not log. */
  readonly url: string;
  readonly port: number;
  /**
   * The actual data folder, which differs from the requested folder if PostgreSQL's account cannot enter the requested
   * one.
   */
  readonly dataDirectory: string;
  /** Resolves when the server has stopped. Idempotent. */
  stop(): Promise<void>;
  /** Resolves when the server has ended, with an error unless `stop` was called. */
  readonly ended: Promise<EmbeddedPostgresError | undefined>;
}

/** Number of attempts to find a free port, because another program may bind the port before the server does. */
const portAttempts = 5;
/** Time in milliseconds in which the processes of a killed server exit: they notice its end by themselves. */
const exitTimeout = 5000;

/**
 * Starts PostgreSQL on a data folder, creating it on the first start. The server stops when this process ends for any
 * reason.
 * @throws EmbeddedPostgresError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const onProgram = options.onProgram ?? (() => undefined);
  const durable = options.durable ?? true;
  const requested = resolve(options.dataDirectory);
  const account = await accountFor(requested);
  const binaries = await installBinaries(account, undefined, options.packageFolder);
  const folder = await placeDataFolder(requested, account);
  if (folder !== requested) log(`the data of ${requested} is kept in ${folder}`);
  const cluster = await openCluster(folder, { account, binaries, durable, log, onProgram });
  await settlePreviousServer(cluster.path, log);
  const { server, port } = await startOnPort({ binaries, account, cluster, durable, log, onProgram }, options.port);
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
  const deadline = Date.now() + exitTimeout;
  let taken = 0;
  for (;;) {
    const port = wanted ?? (await findFreePort());
    try {
      return { server: await startServer({ ...options, port }), port };
    } catch (error) {
      const reason = error instanceof EmbeddedPostgresError ? error.reason : undefined;
      if (reason === "processes-left" && Date.now() < deadline) await wait(50);
      else if (reason !== "port-taken" || wanted !== undefined || ++taken === portAttempts) throw error;
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
