/** SQL Server: the tables of event triggers in a source, and its recorders in the catalog views. */
import { quoteIdentifier, textLiteral } from "../../../model/dialects/mssql/quote.ts";
import type { Refusal, SourceCatalog } from "../catalog-statements.ts";
import { mssqlCatalogMigrations, mssqlCatalogReversals } from "./catalog-migrations.ts";
import { deleteOrderedRows } from "./ordered-queue.ts";

const version = "engine_catalog.engine_source_catalog_version";

/** Error number if another session holds the lock. */
const lockHeld = 51_222;

const takeLock = (milliseconds: number): string =>
  `exec sys.sp_getapplock @Resource = N'engine_catalog', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = ${milliseconds};
if applock_mode(N'public', N'engine_catalog', N'Transaction') <> N'Exclusive'
begin throw ${lockHeld}, N'another instance is changing event triggers', 1; end`;

const yes = (condition: string): string => `iif(${condition}, N't', N'f')`;

/** Selects the names in the first parameter. */
const named = "(select [value] collate database_default from openjson(@p1))";

export const mssqlCatalog: SourceCatalog = {
  migrations: mssqlCatalogMigrations,
  reversals: mssqlCatalogReversals,
  liveInstances: `select cast(count(*) as nvarchar(20)) as live from engine_catalog.engine_instances
where seen_at > dateadd(second, -cast(@p1 as integer), sysdatetimeoffset())`,
  opening: [takeLock(500)],
  joining: [takeLock(5000)],
  presence: `select ${yes("schema_id(N'engine_catalog') is not null")} as [schema], ${yes(`object_id(N'${version}', N'U') is not null`)} as [version]`,
  createSchema: "create schema engine_catalog",
  createVersion: `create table ${version} (
  version nvarchar(10) not null constraint engine_source_catalog_version_version primary key,
  upgraded_on datetimeoffset(7) not null,
  step integer not null,
  catalog_id uniqueidentifier not null constraint engine_source_catalog_version_catalog_id default newid(),
  metadata_version bigint null,
  installation nvarchar(100) null,
  instance nvarchar(100) null,
  installed_at datetimeoffset(7) null
);
insert into ${version} (version, upgraded_on, step) values (N'4', sysdatetimeoffset(), 0);`,
  readVersion: `select cast(step as nvarchar(20)) as step, cast(metadata_version as nvarchar(20)) as metadata_version, installation, instance,
  ${yes("installed_at > dateadd(minute, -1, sysdatetimeoffset())")} as recent, cast(catalog_id as nvarchar(36)) as catalog_id
from ${version}`,
  writeStep: `update ${version} set step = cast(@p1 as integer), upgraded_on = sysdatetimeoffset()`,
  writeClaim: `update ${version} set metadata_version = cast(@p1 as bigint), installation = @p2, instance = @p3, installed_at = sysdatetimeoffset()`,
  installed: `select t.name, s.name as [schema], o.name as [table], iif(t.is_disabled = 1, N'disabled', null) as fault, m.definition
from sys.triggers t
  join sys.objects o on o.object_id = t.parent_id
  join sys.schemas s on s.schema_id = o.schema_id
  left join sys.sql_modules m on m.object_id = t.object_id
where t.name like N'notify[_]engine[_]%[_]INSERT' or t.name like N'notify[_]engine[_]%[_]UPDATE'
  or t.name like N'notify[_]engine[_]%[_]DELETE'
order by t.name`,
  drop: ({ name, table }) =>
    table === undefined ? [] : [`drop trigger if exists ${quoteIdentifier(table.schema)}.${quoteIdentifier(name)}`],
  removeTables: [
    `drop table if exists engine_catalog.event_log, engine_catalog.event_invocation_logs, engine_catalog.engine_event_log_cleanups, engine_catalog.engine_instances, engine_catalog.ordered_arrivals, engine_catalog.ordered_events, ${version}`,
    "drop sequence if exists engine_catalog.event_ordering",
    `if not exists (select 1 from sys.objects where schema_id = schema_id(N'engine_catalog')) drop schema if exists engine_catalog`,
  ],
  archive: `update engine_catalog.event_log set archived = 1 where archived = 0 and trigger_name in ${named};
${deleteOrderedRows(`in ${named}`)}`,
  archiveOthers: `update engine_catalog.event_log set archived = 1
where delivered = 0 and error = 0 and archived = 0 and trigger_name not in ${named};
${deleteOrderedRows(`not in ${named}`)}`,
  // The timeout ends with the statement. CREATE TRIGGER must be alone in its batch.
  bounded: (statement) => `set lock_timeout 500; exec sys.sp_executesql ${textLiteral(statement)}`,
  refusal: (cause) => refusals.get(Number(Object(cause).number)),
  // Triggers never block a change of a table.
  isBlocked: () => false,
};

const refusals: ReadonlyMap<number, Refusal> = new Map([
  [1222, "busy"],
  [1205, "busy"],
  [lockHeld, "busy"],
  [229, "forbidden"],
  [262, "forbidden"],
  [297, "forbidden"],
  [2760, "forbidden"],
  [3704, "forbidden"],
  [15151, "forbidden"],
  [3906, "read-only"],
]);
