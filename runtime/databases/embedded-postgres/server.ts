/** The PostgreSQL server process. Input: programs, account, cluster and port. Output: a handle to stop it. */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Account } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { type Cluster, cleanEnvironment, failed, lastLines } from "./cluster.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { clusterName } from "./previous-server.ts";

export interface ServerOptions {
  readonly binaries: Binaries;
  readonly account: Account;
  readonly cluster: Cluster;
  readonly port: number;
  readonly durable: boolean;
  readonly log: (line: string) => void;
  /** Called when the program has started. */
  readonly onProgram: () => void;
}

export interface Server {
  /** Starts a fast shutdown: open transactions are rolled back. Resolves when the process has exited. */
  stop(): Promise<void>;
  /** Resolves when the process has exited, with an error unless `stop` was called. */
  readonly ended: Promise<EmbeddedPostgresError | undefined>;
}

/** Time in milliseconds after which an immediate shutdown follows. The next start then replays the WAL. */
const fastShutdownTimeout = 60_000;

/**
 * A shell script that replaces itself with PostgreSQL and leaves a watcher behind, which waits for the end of the pipe
 * from this process: however this process is killed, PostgreSQL shuts down. The double fork prevents the watcher from
 * being a child of PostgreSQL.
 */
const launcher = 'exec 3<&0; ( ( read -r line <&3; kill -INT $$ ) >/dev/null 2>&1 & ); exec "$@" </dev/null 3<&-';

/**
 * Starts the server and waits until it accepts connections, including crash recovery.
 * @throws EmbeddedPostgresError `port-taken`, `folder-in-use`, `processes-left`, `start-failed`
 */
export function startServer(options: ServerOptions): Promise<Server> {
  const { binaries, account, cluster, log, onProgram } = options;
  const child = spawn("/bin/sh", ["-c", launcher, "sh", binaries.postgres, ...serverArguments(options)], {
    ...account,
    cwd: "/",
    env: cleanEnvironment,
    // A separate session keeps Ctrl-C in a terminal from PostgreSQL, which this process stops last.
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const output: string[] = [];
  // Lines of a failed start are part of its error, and would otherwise appear in the log too.
  let unlogged: string[] | undefined = [];
  let stopping = false;
  const exited = new Promise<string>((resolve) =>
    child.once("exit", (code, signal) => resolve(`exit ${code ?? signal}`)),
  );
  const ended = exited.then((how) => {
    child.stdin.destroy(); // ends the watcher
    return stopping ? undefined : failed(binaries.postgres, how, output);
  });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopping = true;
    stopped ??= shutDown(child, exited, log);
    return stopped;
  };
  onProgram();
  return new Promise((resolve, reject) => {
    createInterface(child.stderr).on("line", (line) => {
      output.push(line);
      if (output.length > lastLines) output.shift();
      if (unlogged === undefined) log(line);
      else unlogged.push(line);
      if (!line.includes("database system is ready to accept connections")) return;
      unlogged?.forEach(log);
      unlogged = undefined;
      resolve({ stop, ended });
    });
    child.once("error", reject);
    child.stdin.once("error", reject); // nothing is written; without a listener, a broken pipe would end the process
    // "close" fires after all output has been read, unlike "exit".
    child.once("close", (code, signal) => reject(startError(options, `exit ${code ?? signal}`, output, cluster.path)));
  });
}

function serverArguments({ cluster, port, durable }: ServerOptions): string[] {
  const settings = {
    cluster_name: clusterName(),
    port,
    listen_addresses: "127.0.0.1",
    // Nothing uses the socket file, and its path is limited to 107 bytes.
    unix_socket_directories: "",
    max_connections: 200,
    // Log output is parsed here, so it must arrive on stderr in English, whatever postgresql.conf contains. Failed
    // statements are reported only by the engine that sent them.
    log_destination: "stderr",
    logging_collector: "off",
    lc_messages: "C",
    log_min_messages: "log",
    log_checkpoints: "off",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  return ["-D", cluster.path, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}

function startError(
  options: ServerOptions,
  how: string,
  output: readonly string[],
  path: string,
): EmbeddedPostgresError {
  const all = output.join("\n");
  if (/could not bind .*Address already in use/.test(all)) {
    return new EmbeddedPostgresError(
      "port-taken",
      `port ${options.port} of 127.0.0.1, requested by the embedded PostgreSQL, is in use by another program; stop ` +
        "that program, or choose another port",
    );
  }
  const isLeft = /pre-existing shared memory block/.test(all);
  if (isLeft || /lock file "postmaster\.pid" already exists/.test(all)) {
    return new EmbeddedPostgresError(
      isLeft ? "processes-left" : "folder-in-use",
      `the data in ${path} is in use by another PostgreSQL; stop that one first, or choose another folder with ` +
        `--data-dir; its output:\n  ${output.join("\n  ")}`,
    );
  }
  return failed(options.binaries.postgres, how, output);
}

async function shutDown(child: ChildProcess, exited: Promise<string>, log: (line: string) => void): Promise<void> {
  child.kill("SIGINT");
  const timer = setTimeout(() => {
    log("PostgreSQL takes too long to stop: stopping it immediately, with recovery on the next start");
    child.kill("SIGQUIT");
  }, fastShutdownTimeout);
  await exited;
  clearTimeout(timer);
}
