-- installed
select 1 where pg_catalog.to_regclass('engine_catalog.event_log') is not null;

-- insertEvent
insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
values ($1, $2, $3, $4::jsonb) returning id;

-- lockEvent
select case when locked > pg_catalog.now() - interval '30 minutes' then 1 else 0 end, trigger_name
from engine_catalog.event_log where id = $1 and not archived for update;

-- stopOrder
lock table engine_catalog.engine_instances in exclusive mode;

-- resetEvent
update engine_catalog.event_log e
set delivered = false, error = false, tries = 0, locked = null, locked_by = null,
  ordering_key = case when $2::boolean then e.ordering_key end,
  ordering_waits_for = case when $2::boolean then (select u.id from engine_catalog.event_log u
    where u.trigger_name = e.trigger_name and u.ordering_key = e.ordering_key and u.ordering_key is not null
      and not u.delivered and not u.error and not u.archived and u.locked is not null
    order by u.ordering_number limit 1) end
where id = $1;

-- resetEvents.error
with batch as materialized (
  select ctid, id, created_at, trigger_name, ordering_key from engine_catalog.event_log
  where trigger_name = $1 and error and not archived
    and created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
    and created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    and (created_at, id) > (coalesce($4::timestamp, '-infinity'), coalesce($5, ''))
  order by created_at, id limit $6::bigint for update skip locked
), keys as materialized (
  select k.ordering_key, (select u.id from engine_catalog.event_log u
    where u.trigger_name = k.trigger_name and u.ordering_key = k.ordering_key and u.ordering_key is not null
      and not u.delivered and not u.error and not u.archived and u.locked is not null
    order by u.ordering_number limit 1) as waits_for
  from (select distinct trigger_name, ordering_key from batch where $7::boolean and ordering_key is not null) k
), changed as (
  update engine_catalog.event_log e
  set delivered = false, error = false, tries = 0, locked = null, locked_by = null,
    ordering_key = case when $7::boolean then e.ordering_key end, ordering_waits_for = keys.waits_for
  from batch left join keys using (ordering_key) where e.ctid = batch.ctid
  returning 1
)
select (select count(*) from changed)::text, last.created_at::text, last.id, (select count(*) from batch)::text
from (select 1) one left join (select created_at, id from batch order by created_at desc, id desc limit 1) last on true;

-- resetEvents.delivered
with batch as materialized (
  select ctid, id, created_at, trigger_name, ordering_key from engine_catalog.event_log
  where trigger_name = $1 and delivered and not archived
    and created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
    and created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    and (created_at, id) > (coalesce($4::timestamp, '-infinity'), coalesce($5, ''))
  order by created_at, id limit $6::bigint for update skip locked
), keys as materialized (
  select k.ordering_key, (select u.id from engine_catalog.event_log u
    where u.trigger_name = k.trigger_name and u.ordering_key = k.ordering_key and u.ordering_key is not null
      and not u.delivered and not u.error and not u.archived and u.locked is not null
    order by u.ordering_number limit 1) as waits_for
  from (select distinct trigger_name, ordering_key from batch where $7::boolean and ordering_key is not null) k
), changed as (
  update engine_catalog.event_log e
  set delivered = false, error = false, tries = 0, locked = null, locked_by = null,
    ordering_key = case when $7::boolean then e.ordering_key end, ordering_waits_for = keys.waits_for
  from batch left join keys using (ordering_key) where e.ctid = batch.ctid
  returning 1
)
select (select count(*) from changed)::text, last.created_at::text, last.id, (select count(*) from batch)::text
from (select 1) one left join (select created_at, id from batch order by created_at desc, id desc limit 1) last on true;

-- resetEvents.both
with batch as materialized (
  select ctid, id, created_at, trigger_name, ordering_key from engine_catalog.event_log
  where trigger_name = $1 and (delivered or error) and not archived
    and created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
    and created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    and (created_at, id) > (coalesce($4::timestamp, '-infinity'), coalesce($5, ''))
  order by created_at, id limit $6::bigint for update skip locked
), keys as materialized (
  select k.ordering_key, (select u.id from engine_catalog.event_log u
    where u.trigger_name = k.trigger_name and u.ordering_key = k.ordering_key and u.ordering_key is not null
      and not u.delivered and not u.error and not u.archived and u.locked is not null
    order by u.ordering_number limit 1) as waits_for
  from (select distinct trigger_name, ordering_key from batch where $7::boolean and ordering_key is not null) k
), changed as (
  update engine_catalog.event_log e
  set delivered = false, error = false, tries = 0, locked = null, locked_by = null,
    ordering_key = case when $7::boolean then e.ordering_key end, ordering_waits_for = keys.waits_for
  from batch left join keys using (ordering_key) where e.ctid = batch.ctid
  returning 1
)
select (select count(*) from changed)::text, last.created_at::text, last.id, (select count(*) from batch)::text
from (select 1) one left join (select created_at, id from batch order by created_at desc, id desc limit 1) last on true;

-- wake
select pg_catalog.pg_notify('engine_events', '')
where exists (select from engine_catalog.engine_instances where waiting);

-- packed
select 1 from engine_catalog.packed_events limit 1;

-- unpack
select engine_catalog.unpack_events(20)::text;

-- events.all
select pg_catalog.row_to_json(e) from (
  select * from (
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and not delivered and not error and not archived and ordering_key is null and next_retry_at is null
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by next_retry_at desc nulls last, created_at desc limit $2::bigint + $3::bigint)
    union all
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and not delivered and not error and not archived and (next_retry_at is not null or ordering_key is not null)
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by created_at desc limit $2::bigint + $3::bigint)
    union all
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and (delivered or error or archived)
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by created_at desc limit $2::bigint + $3::bigint)
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e;

-- events.pending
select pg_catalog.row_to_json(e) from (
  select * from (
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and not delivered and not error and not archived and ordering_key is null and next_retry_at is null
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by next_retry_at desc nulls last, created_at desc limit $2::bigint + $3::bigint)
    union all
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and not delivered and not error and not archived and (next_retry_at is not null or ordering_key is not null)
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by created_at desc limit $2::bigint + $3::bigint)
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e;

-- events.processed
select pg_catalog.row_to_json(e) from (
  select * from (
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and (delivered or error) and not archived
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by created_at desc limit $2::bigint + $3::bigint)
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e;

-- events.delivered
select pg_catalog.row_to_json(e) from (
  select * from (
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and delivered and not archived
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by created_at desc limit $2::bigint + $3::bigint)
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e;

-- events.error
select pg_catalog.row_to_json(e) from (
  select * from (
    (select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log
      where trigger_name = $1 and error and not archived
        and created_at >= coalesce($4::timestamptz at time zone 'utc', '-infinity')
        and created_at < coalesce($5::timestamptz at time zone 'utc', 'infinity')
      order by created_at desc limit $2::bigint + $3::bigint)
  ) scans order by created_at desc limit $2::bigint offset $3::bigint
) e;

-- failedCounts
select requested.name, (
  select pg_catalog.count(*) from (
    select from engine_catalog.event_log l
    where l.trigger_name = requested.name and l.error and not l.archived
      and l.created_at >= coalesce($2::timestamptz at time zone 'utc', '-infinity')
      and l.created_at < coalesce($3::timestamptz at time zone 'utc', 'infinity')
    limit $4::integer
  ) counted
)::text
from pg_catalog.json_array_elements_text($1::json) as requested(name);

-- event
select pg_catalog.row_to_json(e) from (
  select id, schema_name, table_name, trigger_name, payload, delivered, error, tries, created_at, locked, next_retry_at, archived from engine_catalog.event_log where id = $1
) e;

-- invocationsOfTrigger
select pg_catalog.row_to_json(i) from (
  select id, trigger_name, event_id, status as http_status, request, response, created_at from engine_catalog.event_invocation_logs
  where trigger_name = $1 order by created_at desc limit $2::bigint offset $3::bigint
) i;

-- invocationsOfEvent
select pg_catalog.row_to_json(i) from (
  select id, trigger_name, event_id, status as http_status, request, response, created_at from engine_catalog.event_invocation_logs
  where event_id = $1 order by created_at desc limit $2::bigint offset $3::bigint
) i;
