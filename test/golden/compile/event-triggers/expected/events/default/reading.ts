// Generated: change the metadata, not this file.
// From   event trigger reading on table public.reading (source default)
// Slice  sha256:b6ec7978

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_reading_INSERT",
  hash: "35f550d2b05c33de",
  statements: [
    `create or replace function engine_catalog."notify_engine_reading_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 35f550d2b05c33de
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'reading', 'reading', jsonb_build_object(
    'op', 'INSERT',
    'data', jsonb_build_object(
      'old', null,
      'new', to_jsonb(new.*)
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ));
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_reading_INSERT" on "public"."reading"`,
    `create trigger "notify_engine_reading_INSERT"
  after insert on "public"."reading"
  for each row
  execute function engine_catalog."notify_engine_reading_INSERT"()`,
  ],
};

/** Updated rows, all columns. */
const onUpdate: EventRecorder = {
  operation: "UPDATE",
  name: "notify_engine_reading_UPDATE",
  hash: "297e15f86cf28fc7",
  statements: [
    `create or replace function engine_catalog."notify_engine_reading_UPDATE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 297e15f86cf28fc7
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'reading', 'reading', jsonb_build_object(
    'op', 'UPDATE',
    'data', jsonb_build_object(
      'old', to_jsonb(old.*),
      'new', to_jsonb(new.*)
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ));
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_reading_UPDATE" on "public"."reading"`,
    `create trigger "notify_engine_reading_UPDATE"
  after update on "public"."reading"
  for each row
  when (row(old."sensor", old."at")::record operator(pg_catalog.*<>) row(new."sensor", new."at")::record
    or row(old."value")::record operator(pg_catalog.<>) row(new."value")::record)
  execute function engine_catalog."notify_engine_reading_UPDATE"()`,
  ],
};

/** Event trigger reading of table public.reading: insert, update → https://example.com. */
export const trigger = eventTrigger({
  source: "default",
  name: "reading",
  table: { schema: "public", name: "reading" },
  manual: false,
  webhook: {
    url: { template: "https://example.com" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  recorders: [onInsert, onUpdate],
});
