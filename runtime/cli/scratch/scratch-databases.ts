/**
 * Creates scratch databases and drops them afterwards: on an embedded PostgreSQL, or on a specified server, whose other
 * databases are never touched. On the embedded server, SQL runs as a user without privileges: the project may be
 * untrusted, and a superuser could start programs.
 */

import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { ConfigurationError } from "../../config/configuration-error.ts";
import { startEmbeddedPostgres } from "../../databases/embedded-postgres/start-embedded-postgres.ts";
import { redactUrl } from "../../databases/sources/connection-settings.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";

/**
 * Creates a database, and resolves to its URL.
 * @param template URL of a database without connections, which is copied; default an empty database
 */
export type NewDatabase = (template?: string) => Promise<string>;

/** Runs `work`, and drops the databases that it has created. */
export type ScratchServer = <T>(work: (newDatabase: NewDatabase) => Promise<T>) => Promise<T>;

/** A PostgreSQL server from the command line, whose user may create databases. */
interface GivenServer {
  /** Flag, for errors. */
  readonly setting: "--shadow-url" | "--database";
  readonly url: string | undefined;
}

/**
 * Runs `work` with the databases of one server.
 * @param shadowUrl default an embedded server
 * @throws ConfigurationError, EngineError, EmbeddedPostgresError if no server is available
 */
export async function withScratchDatabases<T>(
  shadowUrl: string | undefined,
  work: (newDatabase: NewDatabase) => Promise<T>,
): Promise<T> {
  return withScratchServer({ setting: "--shadow-url", url: shadowUrl }, (server) => server(work));
}

/**
 * @param given without a URL, an embedded server runs until `work` ends
 * @throws ConfigurationError, EngineError, EmbeddedPostgresError if no server is available
 */
export async function withScratchServer<T>(
  given: GivenServer,
  work: (server: ScratchServer) => Promise<T>,
): Promise<T> {
  if (given.url === undefined) return onEmbedded(work);
  const url = parsed(given.url, given.setting);
  return work((use) => onServer(url, use));
}

function parsed(text: string, setting: GivenServer["setting"]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^postgres(ql)?:$/.test(url.protocol)) return url;
  const message = "expected the URL of a PostgreSQL server, such as postgres://user:password@host:5432/postgres";
  throw new ConfigurationError([{ setting, message }]);
}

async function onEmbedded<T>(work: (server: ScratchServer) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "engine-scratch-"));
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, "data"), durable: false });
  try {
    const owner = await newOwner(new URL(postgres.url));
    return await work((use) => onServer(new URL(postgres.url), use, owner));
  } finally {
    await postgres.stop();
    for (const path of [postgres.dataDirectory, folder]) await rm(path, { recursive: true, force: true });
  }
}

interface Owner {
  readonly name: string;
  readonly password: string;
}

async function newOwner(server: URL): Promise<Owner> {
  const owner = { name: "engine_scratch", password: randomBytes(16).toString("hex") };
  await onDatabase(server, `create role ${owner.name} login password '${owner.password}'`);
  return owner;
}

/** @param owner role that owns the databases and runs the SQL; default the user of `server` */
async function onServer<T>(server: URL, work: (newDatabase: NewDatabase) => Promise<T>, owner?: Owner): Promise<T> {
  const made: string[] = [];
  const newDatabase: NewDatabase = async (template) => {
    const name = `engine_scratch_${randomBytes(8).toString("hex")}`;
    const owned = owner === undefined ? "" : ` owner ${owner.name}`;
    const copied = template === undefined ? "template0" : new URL(template).pathname.slice(1);
    await onDatabase(server, `create database ${name} template ${copied}${owned}`);
    made.push(name);
    const url = new URL(server);
    url.pathname = `/${name}`;
    if (owner !== undefined) Object.assign(url, { username: owner.name, password: owner.password });
    return url.href;
  };
  try {
    return await work(newDatabase);
  } finally {
    for (const name of made) await onDatabase(server, `drop database if exists ${name} with (force)`);
  }
}

async function onDatabase(server: URL, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.href });
  try {
    await client.connect();
    await client.query(sql);
  } catch (error) {
    const reason = messageOf(error);
    const message = `cannot create a scratch database on ${redactUrl(server.href)}: ${reason}`;
    throw new EngineError("connection error", "$", message, { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}
