/** The database of `engine database check` on SQL Server. Its metadata is in an embedded PostgreSQL. */

import { randomBytes } from "node:crypto";
import { connectDriver, type Driver, type ResultSet } from "../../databases/sources/mssql/driver.ts";
import { resolveMssqlSettings } from "../../databases/sources/mssql/settings.ts";
import { EngineError } from "../../values/errors.ts";
import { messageOf } from "../../values/message-of.ts";
import type { ServerFacts, Target } from "./check-database.ts";
import { startEmbeddedMetadata } from "./embedded-metadata.ts";
import { secretsOf, withoutSecrets } from "./secrets.ts";

export async function openMssqlTarget(url: URL): Promise<Target> {
  const server = await connect(url);
  const name = `engine_check_${randomBytes(6).toString("hex")}`;
  const own = new URL(url);
  const isGiven = url.pathname.length > 1;
  const opened: (() => Promise<unknown>)[] = [() => server.close()];
  const close = async (): Promise<void> => {
    for (const each of opened.splice(0).reverse()) await each();
  };
  try {
    if (!isGiven) {
      await server.batch(`create database [${name}]`).catch((error: unknown) => {
        throw unusable(
          `no database could be created: ${withoutSecrets(messageOf(error), secretsOf(url))}; name an empty one in the URL`,
        );
      });
      opened.push(() => drop(server, name));
      own.pathname = `/${name}`;
    }
    const database = isGiven ? server : await connect(own);
    if (!isGiven) opened.push(() => database.close());
    // Results of batches have no names of columns.
    const run = async (text: string) => rowsOf((await database.execute(text, [])).at(-1));
    if (isGiven) await refuseContents(run);
    // A user may lack the right to see them.
    const [facts = {}] = await run(factsStatement).catch(() => []);
    const metadata = await startEmbeddedMetadata();
    opened.push(() => metadata.stop());
    if (isGiven) opened.push(() => database.batch(emptying("")));
    return {
      kind: "mssql",
      url: own.href,
      metadataUrl: metadata.url,
      facts: facts as ServerFacts,
      reset: async ({ schema }) => {
        // The tables of event triggers belong to the metadata that installed them.
        await database.batch(emptying("engine_catalog"));
        await database.batch(schema);
        return [];
      },
      sql: run,
      hold: async (text) => {
        const transaction = await database.begin("read-committed");
        await transaction.batch(text);
        return () => transaction.commit();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connect(url: URL): Promise<Driver> {
  try {
    return await connectDriver(resolveMssqlSettings("check", { connection_string: url.href }, { variables: {} }));
  } catch (error) {
    const message = withoutSecrets(messageOf(error), secretsOf(url));
    throw new EngineError("connection error", "$", `no connection to SQL Server: ${message}`);
  }
}

const unusable = (message: string): EngineError => new EngineError("not-supported", "$", message);

function rowsOf(set: ResultSet | undefined): readonly Readonly<Record<string, unknown>>[] {
  if (set === undefined) return [];
  return set.rows.map((row) => Object.fromEntries(set.columns.map((column, i) => [column, row[i]])));
}

/** Drops the database. Disconnects other clients; those of the engine are already closed. */
async function drop(server: Driver, name: string): Promise<void> {
  // Azure SQL lacks this mode, and drops the database without it.
  await server
    .batch(`if db_id(N'${name}') is not null alter database [${name}] set single_user with rollback immediate`)
    .catch(() => undefined);
  await server.batch(`drop database if exists [${name}]`);
}

const objectTypes = "'U', 'V', 'P', 'FN', 'IF', 'TF', 'SO'";

async function refuseContents(run: Target["sql"]): Promise<void> {
  const [found] = await run(
    `select top (1) name from sys.objects where type in (${objectTypes}) and is_ms_shipped = 0`,
  );
  if (found === undefined) return;
  throw unusable(
    `the database of the URL is not empty, and the check would drop its contents: it has ${String(found.name)}`,
  );
}

/** Returns the batch that drops everything in the database. @param kept schema whose objects are kept */
function emptying(kept: string): string {
  const owner = "quotename(schema_name(schema_id))";
  const list = (text: string, from: string, order: string): string =>
    `select @drop = string_agg(cast(concat(${text}) as nvarchar(max)), N'; ') within group (order by ${order})
from ${from} and is_ms_shipped = 0 and schema_name(schema_id) <> N'${kept}';
if @drop is not null exec sys.sp_executesql @drop;`;
  return `declare @drop nvarchar(max);
${list(
  `N'alter table ', ${owner}, N'.', quotename(object_name(parent_object_id)), N' drop constraint ', quotename(name)`,
  "sys.foreign_keys where parent_object_id > 0",
  "object_id",
)}
${list(
  `N'drop ', case rtrim(type) when 'U' then N'table ' when 'V' then N'view ' when 'P' then N'procedure ' when 'SO' then N'sequence ' else N'function ' end, ${owner}, N'.', quotename(name)`,
  `sys.objects where type in (${objectTypes})`,
  "case rtrim(type) when 'V' then 1 when 'U' then 2 else 3 end, object_id",
)}`;
}

const factsStatement = `select cast(serverproperty('ProductVersion') as nvarchar(128)) as version,
  cast(serverproperty('Edition') as nvarchar(128)) as edition, cast(serverproperty('EngineEdition') as int) as engine_edition,
  cast(serverproperty('Collation') as nvarchar(128)) as server_collation,
  cast(databasepropertyex(N'tempdb', 'Collation') as nvarchar(128)) as tempdb_collation,
  d.collation_name as collation, d.compatibility_level, d.is_read_committed_snapshot_on,
  d.snapshot_isolation_state_desc as snapshot_isolation, @@options as session_options, @@language as language,
  is_srvrolemember(N'sysadmin') as is_sysadmin, is_member(N'db_owner') as is_db_owner
from sys.databases d where d.database_id = db_id()`;
