// Generated: change the metadata, not this file.
// From   event trigger cross_visitor on table public.visitor (source default)
// Slice  sha256:11f07829

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns, if they meet its condition. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_cross_visitor_INSERT",
  hash: "cb900203828e5aad",
  statements: [
    `create or replace function engine_catalog."notify_engine_cross_visitor_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition cb900203828e5aad
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'visitor', 'cross_visitor', jsonb_build_object(
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
    `drop trigger if exists "notify_engine_cross_visitor_INSERT" on "public"."visitor"`,
    `create trigger "notify_engine_cross_visitor_INSERT"
  after insert on "public"."visitor"
  for each row
  when (new."mood" = 'cross'::public.mood)
  execute function engine_catalog."notify_engine_cross_visitor_INSERT"()`,
  ],
};

/** Event trigger cross_visitor of table public.visitor: insert → https://example.com. */
export const trigger = eventTrigger({
  source: "default",
  name: "cross_visitor",
  table: { schema: "public", name: "visitor" },
  manual: false,
  webhook: {
    url: { template: "https://example.com" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  recorders: [onInsert],
});
