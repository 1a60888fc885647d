-- liveInstances
select cast(count(*) as nvarchar(20)) as live from engine_catalog.engine_instances
where seen_at > dateadd(second, -cast(@p1 as integer), sysdatetimeoffset());

-- opening
exec sys.sp_getapplock @Resource = N'engine_catalog', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 500;
if applock_mode(N'public', N'engine_catalog', N'Transaction') <> N'Exclusive'
begin throw 51222, N'another instance is changing event triggers', 1; end;

-- joining
exec sys.sp_getapplock @Resource = N'engine_catalog', @LockMode = N'Exclusive', @LockOwner = N'Transaction', @LockTimeout = 5000;
if applock_mode(N'public', N'engine_catalog', N'Transaction') <> N'Exclusive'
begin throw 51222, N'another instance is changing event triggers', 1; end;

-- presence
select iif(schema_id(N'engine_catalog') is not null, N't', N'f') as [schema], iif(object_id(N'engine_catalog.engine_source_catalog_version', N'U') is not null, N't', N'f') as [version];

-- createSchema
create schema engine_catalog;

-- createVersion
create table engine_catalog.engine_source_catalog_version (
  version nvarchar(10) not null constraint engine_source_catalog_version_version primary key,
  upgraded_on datetimeoffset(7) not null,
  step integer not null,
  catalog_id uniqueidentifier not null constraint engine_source_catalog_version_catalog_id default newid(),
  metadata_version bigint null,
  installation nvarchar(100) null,
  instance nvarchar(100) null,
  installed_at datetimeoffset(7) null
);
insert into engine_catalog.engine_source_catalog_version (version, upgraded_on, step) values (N'4', sysdatetimeoffset(), 0);;

-- readVersion
select cast(step as nvarchar(20)) as step, cast(metadata_version as nvarchar(20)) as metadata_version, installation, instance,
  iif(installed_at > dateadd(minute, -1, sysdatetimeoffset()), N't', N'f') as recent, cast(catalog_id as nvarchar(36)) as catalog_id
from engine_catalog.engine_source_catalog_version;

-- writeStep
update engine_catalog.engine_source_catalog_version set step = cast(@p1 as integer), upgraded_on = sysdatetimeoffset();

-- writeClaim
update engine_catalog.engine_source_catalog_version set metadata_version = cast(@p1 as bigint), installation = @p2, instance = @p3, installed_at = sysdatetimeoffset();

-- installed
select t.name, s.name as [schema], o.name as [table], iif(t.is_disabled = 1, N'disabled', null) as fault, m.definition
from sys.triggers t
  join sys.objects o on o.object_id = t.parent_id
  join sys.schemas s on s.schema_id = o.schema_id
  left join sys.sql_modules m on m.object_id = t.object_id
where t.name like N'notify[_]engine[_]%[_]INSERT' or t.name like N'notify[_]engine[_]%[_]UPDATE'
  or t.name like N'notify[_]engine[_]%[_]DELETE'
order by t.name;

-- removeTables
drop table if exists engine_catalog.event_log, engine_catalog.event_invocation_logs, engine_catalog.engine_event_log_cleanups, engine_catalog.engine_instances, engine_catalog.ordered_arrivals, engine_catalog.ordered_events, engine_catalog.engine_source_catalog_version;

-- removeTables
drop sequence if exists engine_catalog.event_ordering;

-- removeTables
if not exists (select 1 from sys.objects where schema_id = schema_id(N'engine_catalog')) drop schema if exists engine_catalog;

-- archive
update engine_catalog.event_log set archived = 1 where archived = 0 and trigger_name in (select [value] collate database_default from openjson(@p1));
delete o from engine_catalog.ordered_events as o where o.trigger_name in (select [value] collate database_default from openjson(@p1));
delete a from engine_catalog.ordered_arrivals as a with (readpast, rowlock) where a.trigger_name in (select [value] collate database_default from openjson(@p1));

-- archiveOthers
update engine_catalog.event_log set archived = 1
where delivered = 0 and error = 0 and archived = 0 and trigger_name not in (select [value] collate database_default from openjson(@p1));
delete o from engine_catalog.ordered_events as o where o.trigger_name not in (select [value] collate database_default from openjson(@p1));
delete a from engine_catalog.ordered_arrivals as a with (readpast, rowlock) where a.trigger_name not in (select [value] collate database_default from openjson(@p1));

-- migration 0
create sequence engine_catalog.event_ordering as bigint start with 1;

-- migration 1
create table engine_catalog.event_log (
  id uniqueidentifier not null constraint event_log_id primary key constraint event_log_new_id default newid(),
  schema_name nvarchar(max) not null,
  table_name nvarchar(max) not null,
  trigger_name nvarchar(850) not null,
  payload nvarchar(max) not null,
  delivered bit not null constraint event_log_delivered default 0,
  error bit not null constraint event_log_error default 0,
  tries integer not null constraint event_log_tries default 0,
  created_at datetimeoffset(7) not null constraint event_log_created_at default sysdatetimeoffset() at time zone N'UTC',
  locked datetimeoffset(7) null,
  next_retry_at datetimeoffset(7) null,
  archived bit not null constraint event_log_archived default 0,
  locked_by uniqueidentifier null,
  ordering_key nvarchar(max) null,
  ordering_number bigint null,
  ordering_horizon bigint null
);

-- migration 2
create index event_log_fetch on engine_catalog.event_log
  (delivered, error, archived, next_retry_at, created_at) include (trigger_name, locked);

-- migration 3
create index event_log_done on engine_catalog.event_log (created_at) include (trigger_name, delivered, error, archived);

-- migration 4
create table engine_catalog.event_invocation_logs (
  id uniqueidentifier not null constraint event_invocation_logs_id primary key
    constraint event_invocation_logs_new_id default newid(),
  trigger_name nvarchar(850) null,
  event_id uniqueidentifier not null,
  status integer null,
  request nvarchar(max) null,
  response nvarchar(max) null,
  created_at datetimeoffset(7) not null
    constraint event_invocation_logs_created_at default sysdatetimeoffset() at time zone N'UTC'
);

-- migration 5
create index event_invocation_logs_event on engine_catalog.event_invocation_logs (event_id);

-- migration 6
create table engine_catalog.engine_event_log_cleanups (
  id uniqueidentifier not null constraint engine_event_log_cleanups_id primary key
    constraint engine_event_log_cleanups_new_id default newid(),
  trigger_name nvarchar(800) not null,
  scheduled_at datetimeoffset(7) not null,
  deleted_event_logs integer null,
  deleted_event_invocation_logs integer null,
  status nvarchar(9) not null constraint engine_event_log_cleanups_status
    check (status in (N'scheduled', N'paused', N'completed', N'dead')),
  constraint engine_event_log_cleanups_once unique (trigger_name, scheduled_at)
);

-- migration 7
create table engine_catalog.engine_instances (
  id uniqueidentifier not null constraint engine_instances_id primary key,
  seen_at datetimeoffset(7) not null constraint engine_instances_seen_at default sysdatetimeoffset(),
  waiting bit not null constraint engine_instances_waiting default 0
);

-- migration 8
alter table engine_catalog.event_log add ordered bit not null constraint event_log_ordered default 0;

-- migration 9
alter table engine_catalog.event_log add ordering_waits_for uniqueidentifier null;

-- migration 10
alter table engine_catalog.event_log set (lock_escalation = disable);

-- migration 11
drop index event_log_fetch on engine_catalog.event_log;

-- migration 12
create index event_log_fetch on engine_catalog.event_log
  (delivered, error, archived, ordered, next_retry_at, created_at) include (trigger_name, locked);

-- migration 13
create table engine_catalog.ordered_arrivals (
  arrival rowversion not null,
  event_id uniqueidentifier not null,
  trigger_name nvarchar(400) not null,
  ordering_key binary(32) not null,
  constraint ordered_arrivals_arrival primary key (arrival) with (allow_page_locks = off)
);

-- migration 14
alter table engine_catalog.ordered_arrivals set (lock_escalation = disable);

-- migration 15
create table engine_catalog.ordered_events (
  failed bit not null,
  trigger_name nvarchar(400) not null,
  ordering_key binary(32) not null,
  place bigint not null,
  event_id uniqueidentifier not null constraint ordered_events_event unique,
  constraint ordered_events_place primary key (failed, trigger_name, ordering_key, place)
);

-- migration 16
alter table engine_catalog.event_log drop constraint event_log_new_id;

-- migration 17
alter table engine_catalog.event_log add constraint event_log_new_id default newsequentialid() for id;

-- migration 18
alter table engine_catalog.event_invocation_logs drop constraint event_invocation_logs_new_id;

-- migration 19
alter table engine_catalog.event_invocation_logs add constraint event_invocation_logs_new_id
  default newsequentialid() for id;

-- drop
drop trigger if exists [d]]bo].[notify_engine_it's_INSERT];

-- bounded
set lock_timeout 500; exec sys.sp_executesql N'drop trigger if exists [d]]bo].[notify_engine_it''s_INSERT]';
