// Generated: change the metadata, not this file.
// From   event trigger order_changed on table public.orders (source default)
// Slice  sha256:fbb2a0c2

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_order_changed_INSERT",
  hash: "9190edcc5e4a3906",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_changed_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 9190edcc5e4a3906
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select 'public', 'orders', 'order_changed', jsonb_build_object(
    'op', 'INSERT',
    'data', jsonb_build_object(
      'old', null,
      'new', to_jsonb(changed.*)
    ),
    'session_variables', (select nullif(current_setting('engine.user', true), '')::jsonb),
    'trace_context', (select nullif(current_setting('engine.tracecontext', true), '')::jsonb)
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
  hash: "6011a119728e6c21",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_changed_UPDATE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 6011a119728e6c21
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'orders', 'order_changed', jsonb_build_object(
    'op', 'UPDATE',
    'data', jsonb_build_object(
      'old', to_jsonb(old.*),
      'new', to_jsonb(new.*)
    ),
    'session_variables', (select nullif(current_setting('engine.user', true), '')::jsonb),
    'trace_context', (select nullif(current_setting('engine.tracecontext', true), '')::jsonb)
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
  hash: "71a85d0d2431f97c",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_changed_DELETE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 71a85d0d2431f97c
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  select 'public', 'orders', 'order_changed', jsonb_build_object(
    'op', 'DELETE',
    'data', jsonb_build_object(
      'old', to_jsonb(changed.*),
      'new', null
    ),
    'session_variables', (select nullif(current_setting('engine.user', true), '')::jsonb),
    'trace_context', (select nullif(current_setting('engine.tracecontext', true), '')::jsonb)
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
