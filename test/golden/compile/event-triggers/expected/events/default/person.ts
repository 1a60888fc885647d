// Generated: change the metadata, not this file.
// From   event trigger person on table public.person (source default)
// Slice  sha256:784cb4bd

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_person_INSERT",
  hash: "2b4c84855a7527ba",
  statements: [
    `create or replace function engine_catalog."notify_engine_person_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 2b4c84855a7527ba
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'person', 'person', jsonb_build_object(
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
    `drop trigger if exists "notify_engine_person_INSERT" on "public"."person"`,
    `create trigger "notify_engine_person_INSERT"
  after insert on "public"."person"
  for each row
  execute function engine_catalog."notify_engine_person_INSERT"()`,
  ],
};

/** Event trigger person of table public.person: insert → https://example.com. */
export const trigger = eventTrigger({
  source: "default",
  name: "person",
  table: { schema: "public", name: "person" },
  manual: false,
  webhook: {
    url: { template: "https://example.com" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  recorders: [onInsert],
});
