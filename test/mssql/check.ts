/**
 * `npm run mssql:check -- --url mssql://user:password@host:port` runs the golden cases and the load cases on a real SQL
 * Server. Creates a database and drops it at the end. If the URL names a database, which must be empty, uses that one
 * and empties it at the end, so that the user needs no other privileges. Exit code 0: all passed; 1: some failed; 2: the
 * check could not run.
 */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../../runtime/databases/embedded-postgres/start-embedded-postgres.ts";
import { connectDriver, type Driver } from "../../runtime/databases/sources/mssql/driver.ts";
import { resolveMssqlSettings } from "../../runtime/databases/sources/mssql/settings.ts";
import { readFixture } from "../golden/cases.ts";
import { runCases } from "./run-cases.ts";

const usage = `Usage: npm run mssql:check -- --url "mssql://user:password@host:1433?encrypt=true&trustServerCertificate=true"

The check makes a database of its own and drops it at the end, which the user has to be allowed to do. Or name an empty
database, mssql://user:password@host:1433/name: no other rights are needed than those of its owner, and Azure SQL is
fine. To see plans takes the right SHOWPLAN there.`;

/** The reason why the check could not run. */
class CannotCheck extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const url = readUrl(args);
  if (url.pathname.length > 1) return checkIn(url);
  const server = await connect(url);
  const name = `engine_check_${randomBytes(6).toString("hex")}`;
  try {
    await create(server, name);
    const own = new URL(url);
    own.pathname = `/${name}`;
    return await checkIn(own);
  } finally {
    await drop(server, name);
    await server.close();
  }
}

/** Runs the check. @param url names the database */
async function checkIn(url: URL): Promise<number> {
  const database = await connect(url);
  const folder = await mkdtemp(join(tmpdir(), "mssql-check-"));
  try {
    console.log(`Checking on ${await versionOf(database)}, in database ${decodeURIComponent(url.pathname.slice(1))}`);
    const [found] = await database.batch(
      "select name from sys.objects where type in ('U', 'V', 'P', 'FN', 'IF', 'TF') and is_ms_shipped = 0",
    );
    if (found && found.rows.length > 0) {
      throw new CannotCheck(
        `the database is not empty, and the check would drop what is in it: it has ${found.rows[0]?.[0]}`,
      );
    }
    const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, "postgres"), durable: false });
    try {
      return await check(url, database, postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function check(url: URL, database: Driver, metadataUrl: string): Promise<number> {
  const schema = await readFixture("schema.mssql.sql");
  // Referencing tables come after the referenced ones.
  const tables = Array.from(schema.matchAll(/^create table (\S+)/gm), ([, table]) => table).reverse();
  const functions = Array.from(schema.matchAll(/create or alter function (\S+)/g), ([, name]) => name);
  const clear = async (): Promise<void> => {
    await database.batch(`drop table if exists ${tables.join(", ")}`);
    await database.batch("drop procedure if exists dbo.books_by");
    await database.batch(`drop function if exists ${functions.join(", ")}`);
  };
  const reset = async (): Promise<void> => {
    await clear();
    await database.batch(schema);
  };
  const environment = { ENGINE_MSSQL_CHECK_URL: url.href };
  const target = { dialect: "mssql", metadataUrl, environment, reset, withLoad: true } as const;
  const results = await runCases(target, ({ name, failure }) => {
    console.log(failure === undefined ? `passed  ${name}` : `FAILED  ${name}\n${failure.replace(/^/gm, "        ")}`);
  });
  await clear();
  const failed = results.filter(({ failure }) => failure !== undefined).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function readUrl(args: readonly string[]): URL {
  let text: string | undefined;
  try {
    text = parseArgs({ args: [...args], options: { url: { type: "string" } } }).values.url;
  } catch (error) {
    throw new CannotCheck(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
  if (text === undefined) throw new CannotCheck(`--url is missing\n\n${usage}`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "mssql:" || url.hostname === "") {
    throw new CannotCheck(`--url has to be mssql://user:password@host:port\n\n${usage}`);
  }
  return url;
}

async function connect(url: URL): Promise<Driver> {
  try {
    return await connectDriver(resolveMssqlSettings("check", { connection_string: url.href }, { variables: {} }));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotCheck(`no connection to SQL Server at ${url.host}: ${reason}`);
  }
}

async function versionOf(server: Driver): Promise<string> {
  const [set] = await server.batch("select @@version");
  return String(set?.rows[0]?.[0]).split("\n")[0] ?? "";
}

async function create(server: Driver, name: string): Promise<void> {
  try {
    await server.batch(`create database [${name}]`);
  } catch (error) {
    throw new CannotCheck(`no database could be created: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Drops the database. Disconnects other clients; those of the product are already closed. */
async function drop(server: Driver, name: string): Promise<void> {
  // Azure SQL lacks this mode, and drops the database without it.
  await server
    .batch(`if db_id(N'${name}') is not null alter database [${name}] set single_user with rollback immediate`)
    .catch(() => undefined);
  await server.batch(`drop database if exists [${name}]`);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotCheck ? error.message : error);
  process.exitCode = 2;
}
