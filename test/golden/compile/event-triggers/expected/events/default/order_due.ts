// Generated: change the metadata, not this file.
// From   event trigger order_due on table public.orders (source default)
// Slice  sha256:6198ac84

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns, if they meet its condition; in order by customer, status. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_order_due_INSERT",
  hash: "d46adb34ccccba20",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_due_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition d46adb34ccccba20
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordering_key, ordering_number)
  select 'public', 'orders', 'order_due', jsonb_build_object(
    'op', 'INSERT',
    'data', jsonb_build_object(
      'old', null,
      'new', engine_catalog.event_json(row_to_json(changed.*))
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ), engine_catalog.ordering_key(jsonb_build_array(changed."customer", changed."status")), nextval('engine_catalog.event_ordering')
  from changed
  where changed."Shipped on" < cast('2026-01-01' as text)::date
and changed."customer" = any('{a,"o''hare"}'::text[]);
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_order_due_INSERT" on "public"."orders"`,
    `create trigger "notify_engine_order_due_INSERT"
  after insert on "public"."orders"
  referencing new table as changed
  for each statement
  execute function engine_catalog."notify_engine_order_due_INSERT"()`,
  ],
};

/** Deleted rows, id; in order by customer, status. */
const onDelete: EventRecorder = {
  operation: "DELETE",
  name: "notify_engine_order_due_DELETE",
  hash: "3e45ad28afb3d6d5",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_due_DELETE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 3e45ad28afb3d6d5
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordering_key, ordering_number)
  select 'public', 'orders', 'order_due', jsonb_build_object(
    'op', 'DELETE',
    'data', jsonb_build_object(
      'old', jsonb_build_object(
        'id', changed."id"
      ),
      'new', null
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ), engine_catalog.ordering_key(jsonb_build_array(changed."customer", changed."status")), nextval('engine_catalog.event_ordering')
  from changed;
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_order_due_DELETE" on "public"."orders"`,
    `create trigger "notify_engine_order_due_DELETE"
  after delete on "public"."orders"
  referencing old table as changed
  for each statement
  execute function engine_catalog."notify_engine_order_due_DELETE"()`,
  ],
};

/** Event trigger order_due of table public.orders: insert, delete → https://example.com. */
export const trigger = eventTrigger({
  source: "default",
  name: "order_due",
  table: { schema: "public", name: "orders" },
  manual: false,
  webhook: {
    url: { template: "https://example.com" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
    signingSecrets: ["CHECK_KEY", "CHECK_PATH"],
  },
  ordering: { onError: "hold" },
  cleanup: {
    schedule: "0 3 * * *",
    clearOlderThanHours: 24,
    batchSize: 10000,
    timeoutSeconds: 60,
    cleanInvocationLogs: false,
    paused: true,
  },
  recorders: [onInsert, onDelete],
});
