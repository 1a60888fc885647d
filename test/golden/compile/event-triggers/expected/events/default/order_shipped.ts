// Generated: change the metadata, not this file.
// From   event trigger order_shipped on table public.orders (source default)
// Slice  sha256:a8d5c376

import { type EventRecorder, eventTrigger } from "engine/support";

/**
 * Updated rows where one of status, Shipped on changes, id, status, Shipped on, if they meet its
 * condition; in order by customer.
 */
const onUpdate: EventRecorder = {
  operation: "UPDATE",
  name: "notify_engine_order_shipped_UPDATE",
  hash: "2b933a13272be95e",
  statements: [
    `create or replace function engine_catalog."notify_engine_order_shipped_UPDATE"() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $engine$
-- definition 2b933a13272be95e
begin
  insert into engine_catalog.event_log (schema_name, table_name, trigger_name, payload, ordering_key, ordering_number)
  values ('public', 'orders', 'order_shipped', jsonb_build_object(
    'op', 'UPDATE',
    'data', jsonb_build_object(
      'old', jsonb_build_object(
        'id', old."id",
        'status', old."status",
        'Shipped on', old."Shipped on"
      ),
      'new', jsonb_build_object(
        'id', new."id",
        'status', new."status",
        'Shipped on', new."Shipped on"
      )
    ),
    'session_variables', (select engine_catalog.event_setting('engine.user')),
    'trace_context', (select engine_catalog.event_trace())
  ), engine_catalog.ordering_key(jsonb_build_array(new."customer")), nextval('engine_catalog.event_ordering'));
  return null;
end
$engine$`,
    `drop trigger if exists "notify_engine_order_shipped_UPDATE" on "public"."orders"`,
    `create trigger "notify_engine_order_shipped_UPDATE"
  after update on "public"."orders"
  for each row
  when ((row(old."status", old."Shipped on")::record operator(pg_catalog.*<>) row(new."status", new."Shipped on")::record)
    and ((old."status" <> 'shipped'::text) and (new."status" = 'shipped'::text)))
  execute function engine_catalog."notify_engine_order_shipped_UPDATE"()`,
  ],
};

/** Event trigger order_shipped of table public.orders: update → the address in CHECK_KEY. */
export const trigger = eventTrigger({
  source: "default",
  name: "order_shipped",
  table: { schema: "public", name: "orders" },
  manual: false,
  webhook: {
    url: { fromEnv: "CHECK_KEY" },
    headers: [
      { name: "authorization", valueFromEnv: "CHECK_KEY" },
      { name: "x-from", value: "shop {{CHECK_PATH}}" },
    ],
    retry: {
      retries: 5,
      intervalSeconds: 10,
      timeoutSeconds: 30,
      backoff: { factor: 1.5, maxIntervalSeconds: 3600, jitter: 0.5 },
      retryOn: [429, 500, 503],
    },
    requestTransform: { version: 2, template_engine: "Kriti", method: "PUT" },
    signingSecrets: ["CHECK_KEY"],
  },
  ordering: { onError: "continue" },
  recorders: [onUpdate],
});
