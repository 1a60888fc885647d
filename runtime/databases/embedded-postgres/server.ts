/**
 * The PostgreSQL process itself. Input: programs, account, files and port. Output: a running server to stop.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { clusterName } from "./previous-server.ts";
import { cleanEnvironment, failed, lastLines } from "./run-program.ts";

export interface ServerOptions {
  readonly binaries: Binaries;
  readonly account: Account;
  readonly cluster: Cluster;
  readonly port: number;
  readonly durable: boolean;
  readonly log: (line: string) => void;
}

export interface Server {
  /** Fast shutdown: open transactions are rolled back, everything committed is kept. Resolves when the process ended. */
  stop(): Promise<void>;
  /** Resolves when the process ended: with an error when nobody had called `stop`. */
  readonly ended: Promise<EmbeddedPostgresError | undefined>;
}

/** After this an immediate shutdown follows; the next start then replays the log. */
const fastShutdownPatience = 60_000;

/**
 * Becomes PostgreSQL and leaves a watcher behind, which waits for the end of our pipe: when this process is killed in
 * whatever way, PostgreSQL shuts down by itself. The double fork keeps the watcher from being PostgreSQL's child.
 */
const launcher = 'exec 3<&0; ( ( read -r line <&3; kill -INT $$ ) >/dev/null 2>&1 & ); exec "$@" </dev/null 3<&-';

/**
 * Starts the server and waits until it takes connections, after crash recovery where that is needed.
 * @throws EmbeddedPostgresError `port-taken`, `folder-in-use`, `start-failed`
 */
export function startServer(options: ServerOptions): Promise<Server> {
  const { binaries, account, cluster, log } = options;
  const child = spawn("/bin/sh", ["-c", launcher, "sh", binaries.postgres, ...serverArguments(options)], {
    ...account,
    cwd: "/",
    env: cleanEnvironment,
    // In a session of its own: Ctrl-C in a terminal is for us, who stop the database last.
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const said: string[] = [];
  let stopping = false;
  const exited = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(`exit ${code ?? signal}`)),
  );
  const ended = exited.then((how) => {
    child.stdin.destroy(); // lets the watcher go
    return stopping ? undefined : failed(binaries.postgres, how, said);
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopping = true;
    stopped ??= shutDown(child, exited, log);
    return stopped;
  };
  return new Promise((resolve, reject) => {
    createInterface(child.stderr).on("line", (line) => {
      said.push(line);
      if (said.length > lastLines) said.shift();
      log(line);
      if (line.includes("database system is ready to accept connections")) resolve({ stop, ended });
    });
    child.once("error", reject);
    child.stdin.once("error", reject); // nothing is written; without a listener a broken pipe would end the process
    // "close", not "exit": by then all it said was read.
    child.once("close", (code, signal) => reject(startError(options, `exit ${code ?? signal}`, said, cluster.path)));
  });
}

function serverArguments({ cluster, port, durable }: ServerOptions): string[] {
  const settings = {
    cluster_name: clusterName(),
    port,
    listen_addresses: "127.0.0.1",
    // No socket file: its path may be at most 107 bytes long, and nothing needs it.
    unix_socket_directories: "",
    max_connections: 200,
    // What is read here has to come here, in English, whatever postgresql.conf says. Failing statements are reported
    // by the engine that sent them, and only there.
    log_destination: "stderr",
    logging_collector: "off",
    lc_messages: "C",
    log_min_messages: "log",
    log_checkpoints: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  return ["-D", cluster.path, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

function startError(options: ServerOptions, how: string, said: readonly string[], path: string): EmbeddedPostgresError {
  const all = said.join("\n");
  if (/could not bind .*Address already in use/.test(all)) {
    return new EmbeddedPostgresError(
      "port-taken",
      `Port ${options.port} of 127.0.0.1, asked for by the embedded PostgreSQL, is in use by another program: stop ` +
        "that one, or choose another port.",
    );
  }
  if (/lock file "postmaster\.pid" already exists|pre-existing shared memory block/.test(all)) {
    return new EmbeddedPostgresError(
      "folder-in-use",
      `The data in ${path} is in use by another PostgreSQL. Stop that one first, or start this one in another ` +
        `directory. It said:\n  ${said.join("\n  ")}`,
    );
  }
  return failed(options.binaries.postgres, how, said);
}

async function shutDown(child: ChildProcess, exited: Promise<string>, log: (line: string) => void): Promise<void> {
  child.kill("SIGINT");
  const impatience = setTimeout(() => {
    log("PostgreSQL takes too long to stop; it is stopped at once, and recovers on the next start");
    child.kill("SIGQUIT");
  }, fastShutdownPatience);
  await exited;
  clearTimeout(impatience);
}
