// Generated: change the metadata, not this file.
// From   event trigger order_changed on table public.orders (source default)
// Slice  sha256:fbb2a0c2

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_order_changed_INSERT",
  hash: "225c6284e07e6f2c",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_changed_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 225c6284e07e6f2c
begin
  if exists (select from changed offset 100)
    and array['id', 'customer', 'status', 'Shipped on', 'note'] = array(select attname::text from pg_attribute where attrelid = tg_relid and attnum > 0 and not attisdropped order by attnum)
  then
    begin
      if (select max(coalesce(octet_length(changed."customer"), 0) + coalesce(octet_length(changed."status"), 0) + coalesce(8 * pg_column_size(changed."note"), 0)) from changed) <= 8000 then
        insert into engine_catalog.packed_events (schema_name, table_name, trigger_name, op, session_variables,
          trace_context, events, column_names, column_values)
        select 'public', 'orders', 'order_changed', 'INSERT',
          (select engine_catalog.event_setting('engine.user')),
          (select engine_catalog.event_trace()),
          count(*), array['id', 'customer', 'status', 'Shipped on', 'note'],
          array[json_agg(r."id"), json_agg(r."customer"), json_agg(r."status"), json_agg(r."Shipped on"), json_agg(r."note")]
        from (select changed.*, (row_number() over () - 1) / 1000 as "engine pack" from changed) r
        group by r."engine pack";
        return null;
      end if;
    exception when others then
      -- Whatever it was: one by one has fewer limits, or says what is wrong.
    end;
  end if;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select 'public', 'orders', 'order_changed', jsonb_build_object(
    'op', 'INSERT',
    'data', jsonb_build_object(
      'old', null,
      'new', engine_catalog.event_json(row_to_json(changed.*))
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  )
  from changed;
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_order_changed_INSERT" on "public"."orders"`,
    `create trigger "notify_engine_order_changed_INSERT"
  after insert on "public"."orders"
  referencing new table as changed
  for each statement
  execute function engine_catalog."notify_engine_order_changed_INSERT"()`,
  ],
};

/** Updated rows, all columns. */
const onUpdate: EventRecorder = {
  operation: "UPDATE",
  name: "notify_engine_order_changed_UPDATE",
  hash: "2ed9d61bbb3f5305",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_changed_UPDATE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 2ed9d61bbb3f5305
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'orders', 'order_changed', jsonb_build_object(
    'op', 'UPDATE',
    'data', jsonb_build_object(
      'old', engine_catalog.event_json(row_to_json(old.*)),
      'new', engine_catalog.event_json(row_to_json(new.*))
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ));
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_order_changed_UPDATE" on "public"."orders"`,
    `create trigger "notify_engine_order_changed_UPDATE"
  after update on "public"."orders"
  for each row
  when (old.* operator(pg_catalog.*<>) new.*)
  execute function engine_catalog."notify_engine_order_changed_UPDATE"()`,
  ],
};

/** Deleted rows, all columns. */
const onDelete: EventRecorder = {
  operation: "DELETE",
  name: "notify_engine_order_changed_DELETE",
  hash: "8b4482be0f5a0897",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_changed_DELETE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 8b4482be0f5a0897
begin
  if exists (select from changed offset 100)
    and array['id', 'customer', 'status', 'Shipped on', 'note'] = array(select attname::text from pg_attribute where attrelid = tg_relid and attnum > 0 and not attisdropped order by attnum)
  then
    begin
      if (select max(coalesce(octet_length(changed."customer"), 0) + coalesce(octet_length(changed."status"), 0) + coalesce(8 * pg_column_size(changed."note"), 0)) from changed) <= 8000 then
        insert into engine_catalog.packed_events (schema_name, table_name, trigger_name, op, session_variables,
          trace_context, events, column_names, column_values)
        select 'public', 'orders', 'order_changed', 'DELETE',
          (select engine_catalog.event_setting('engine.user')),
          (select engine_catalog.event_trace()),
          count(*), array['id', 'customer', 'status', 'Shipped on', 'note'],
          array[json_agg(r."id"), json_agg(r."customer"), json_agg(r."status"), json_agg(r."Shipped on"), json_agg(r."note")]
        from (select changed.*, (row_number() over () - 1) / 1000 as "engine pack" from changed) r
        group by r."engine pack";
        return null;
      end if;
    exception when others then
      -- Whatever it was: one by one has fewer limits, or says what is wrong.
    end;
  end if;
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select 'public', 'orders', 'order_changed', jsonb_build_object(
    'op', 'DELETE',
    'data', jsonb_build_object(
      'old', engine_catalog.event_json(row_to_json(changed.*)),
      'new', null
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  )
  from changed;
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_order_changed_DELETE" on "public"."orders"`,
    `create trigger "notify_engine_order_changed_DELETE"
  after delete on "public"."orders"
  referencing old table as changed
  for each statement
  execute function engine_catalog."notify_engine_order_changed_DELETE"()`,
  ],
};

/**
 * Event trigger order_changed of table public.orders: insert, update, delete, manual calls →
 * https://example.com/{{CHECK_PATH}}.
 */
export const trigger = eventTrigger({
  source: "default",
  name: "order_changed",
  table: { schema: "public", name: "orders" },
  manual: true,
  webhook: {
    url: { template: "https://example.com/{{CHECK_PATH}}" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  recorders: [onInsert, onUpdate, onDelete],
});
