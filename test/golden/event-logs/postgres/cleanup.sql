-- deleteEvents
with old as materialized (
  select ctid, id, created_at from engine_catalog.event_log
  where trigger_name = $1 and (delivered or error) and locked is null
    and created_at < (pg_catalog.statement_timestamp() at time zone 'utc') - pg_catalog.make_interval(hours => $2::integer)
    and created_at >= coalesce($4::timestamp, '-infinity')
  order by created_at limit $3::bigint for update skip locked
), events as (
  delete from engine_catalog.event_log where ctid = any (array(select ctid from old)) returning 1
)
select (select count(*) from events)::text, '0', (select max(created_at) from old)::text;

-- deleteWithInvocations
with old as materialized (
  select ctid, id, created_at from engine_catalog.event_log
  where trigger_name = $1 and (delivered or error) and locked is null
    and created_at < (pg_catalog.statement_timestamp() at time zone 'utc') - pg_catalog.make_interval(hours => $2::integer)
    and created_at >= coalesce($4::timestamp, '-infinity')
  order by created_at limit $3::bigint for update skip locked
), events as (
  delete from engine_catalog.event_log where ctid = any (array(select ctid from old)) returning 1
), invocations as (
  delete from engine_catalog.event_invocation_logs where event_id in (select id from old) returning 1
)
select (select count(*) from events)::text, (select count(*) from invocations)::text,
  (select max(created_at) from old)::text;

-- now
select pg_catalog.to_char((pg_catalog.statement_timestamp() at time zone 'utc'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- schedule
with wanted as (
  select (value::timestamptz at time zone 'utc') as at from pg_catalog.json_array_elements_text($2::json)
), kept as (
  select scheduled_at from engine_catalog.engine_event_log_cleanups
  where trigger_name = $1 and status = 'scheduled' and scheduled_at in (select at from wanted)
), dropped as (
  delete from engine_catalog.engine_event_log_cleanups
  where trigger_name = $1 and status = 'scheduled' and scheduled_at > (pg_catalog.statement_timestamp() at time zone 'utc')
    and scheduled_at not in (select at from wanted)
)
insert into engine_catalog.engine_event_log_cleanups (trigger_name, scheduled_at, status)
select $1, at, 'scheduled' from wanted
where (select count(*) from kept) < 5 and at > coalesce((select max(scheduled_at) from kept), '-infinity')
order by at limit 50
on conflict (trigger_name, scheduled_at) do nothing;

-- due
select distinct on (trigger_name) trigger_name, id from engine_catalog.engine_event_log_cleanups
where status = 'scheduled' and scheduled_at <= (pg_catalog.statement_timestamp() at time zone 'utc')
  and trigger_name in (select pg_catalog.json_array_elements_text($1::json))
order by trigger_name, scheduled_at desc;

-- skipOlder
update engine_catalog.engine_event_log_cleanups set status = 'dead' where id in (
  select older.id from engine_catalog.engine_event_log_cleanups older join engine_catalog.engine_event_log_cleanups newest using (trigger_name)
  where newest.id = $1 and older.status = 'scheduled' and older.scheduled_at < newest.scheduled_at
  for update of older skip locked
);

-- end
update engine_catalog.engine_event_log_cleanups set status = $2 where id = $1 and status = 'scheduled';

-- claim
select 1 from engine_catalog.engine_event_log_cleanups where id = $1 and status = 'scheduled' for update skip locked;

-- record
update engine_catalog.engine_event_log_cleanups set status = $4,
  deleted_event_logs = coalesce(deleted_event_logs, 0) + $2::integer,
  deleted_event_invocation_logs = coalesce(deleted_event_invocation_logs, 0) + $3::integer
where id = $1;
