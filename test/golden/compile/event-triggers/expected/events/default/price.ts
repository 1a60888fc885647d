// Generated: change the metadata, not this file.
// From   event trigger price on table public.price (source default)
// Slice  sha256:b403356f

import { type EventRecorder, eventTrigger } from "engine/support";

/** Updated rows, all columns. */
const onUpdate: EventRecorder = {
  operation: "UPDATE",
  name: "notify_engine_price_UPDATE",
  hash: "9dcdb64646bceeed",
  statements: [
    `create or replace function engine_catalog."notify_engine_price_UPDATE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 9dcdb64646bceeed
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'price', 'price', jsonb_build_object(
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
    `drop trigger if exists "notify_engine_price_UPDATE" on "public"."price"`,
    `create trigger "notify_engine_price_UPDATE"
  after update on "public"."price"
  for each row
  when (old.* operator(pg_catalog.<>) new.*)
  execute function engine_catalog."notify_engine_price_UPDATE"()`,
  ],
};

/** Event trigger price of table public.price: update → https://example.com. */
export const trigger = eventTrigger({
  source: "default",
  name: "price",
  table: { schema: "public", name: "price" },
  manual: false,
  webhook: {
    url: { template: "https://example.com" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  recorders: [onUpdate],
});
