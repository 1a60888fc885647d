// Generated: change the metadata, not this file.
// From   event trigger price_amount on table public.price (source default)
// Slice  sha256:c97211cf

import { type EventRecorder, eventTrigger } from "engine/support";

/** Inserted rows, all columns. */
const onInsert: EventRecorder = {
  operation: "INSERT",
  name: "notify_engine_price_amount_INSERT",
  hash: "dfcc7b0daadb2835",
  statements: [
    `create or replace function engine_catalog."notify_engine_price_amount_INSERT"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition dfcc7b0daadb2835
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'price', 'price_amount', jsonb_build_object(
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
    `drop trigger if exists "notify_engine_price_amount_INSERT" on "public"."price"`,
    `create trigger "notify_engine_price_amount_INSERT"
  after insert on "public"."price"
  for each row
  execute function engine_catalog."notify_engine_price_amount_INSERT"()`,
    `alter table "public"."price" enable always trigger "notify_engine_price_amount_INSERT"`,
  ],
};

/** Updated rows where one of product, amount changes, amount. */
const onUpdate: EventRecorder = {
  operation: "UPDATE",
  name: "notify_engine_price_amount_UPDATE",
  hash: "29a70b5dc3c8b859",
  statements: [
    `create or replace function engine_catalog."notify_engine_price_amount_UPDATE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 29a70b5dc3c8b859
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload)
  values ('public', 'price', 'price_amount', jsonb_build_object(
    'op', 'UPDATE',
    'data', jsonb_build_object(
      'old', jsonb_build_object(
        'amount', old."amount"
      ),
      'new', jsonb_build_object(
        'amount', new."amount"
      )
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ));
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_price_amount_UPDATE" on "public"."price"`,
    `create trigger "notify_engine_price_amount_UPDATE"
  after update on "public"."price"
  for each row
  when (row(old."product")::record operator(pg_catalog.*<>) row(new."product")::record
    or row(old."amount")::record operator(pg_catalog.<>) row(new."amount")::record)
  execute function engine_catalog."notify_engine_price_amount_UPDATE"()`,
    `alter table "public"."price" enable always trigger "notify_engine_price_amount_UPDATE"`,
  ],
};

/** Event trigger price_amount of table public.price: insert, update → https://example.com. */
export const trigger = eventTrigger({
  source: "default",
  name: "price_amount",
  table: { schema: "public", name: "price" },
  manual: false,
  webhook: {
    url: { template: "https://example.com" },
    headers: [],
    retry: { retries: 0, intervalSeconds: 10, timeoutSeconds: 60 },
  },
  recorders: [onInsert, onUpdate],
});
