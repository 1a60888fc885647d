/** `get_catalog_state`, `set_catalog_state`, `lock_catalog_state`: state that tools store next to the metadata. */
import type { Json } from "../../compiler/catalog/model.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";
import type { MetadataStore } from "./store.ts";

export const catalogStateHandlers: IoHandlers<"get_catalog_state" | "set_catalog_state" | "lock_catalog_state"> = {
  get_catalog_state: (_, { store }) => getCatalogState(store),
  set_catalog_state: (call, { store }) => setCatalogState(call, store),
  lock_catalog_state: (call, { store }) => lockCatalogState(call, store),
};

async function getCatalogState(store: MetadataStore): Promise<Json> {
  const { id, cliState, consoleState } = await store.catalogState();
  return { id, cli_state: cliState as Json, console_state: consoleState as Json };
}

async function setCatalogState({ input }: IoCallOf<"set_catalog_state">, store: MetadataStore): Promise<Json> {
  await store.setCatalogState(input.type, stringifyJson(input.state));
  return { message: "success" };
}

/**
 * Acquires, renews or, with 0 seconds, releases the lock on a tool's state. The lock expires by the database's clock.
 * If the lock could not be acquired, the response names its holder.
 */
async function lockCatalogState({ input }: IoCallOf<"lock_catalog_state">, store: MetadataStore): Promise<Json> {
  const { type, holder, label, seconds } = input;
  if (seconds === 0) {
    await store.query("delete from engine_catalog.engine_catalog_lock where type = $1 and holder = $2", [type, holder]);
    return { locked: false };
  }
  const acquired = await store.query(
    `insert into engine_catalog.engine_catalog_lock as held (type, holder, label, expires_at)
     values ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')
     on conflict (type) do update set holder = excluded.holder, label = excluded.label, expires_at = excluded.expires_at,
       since = case when held.holder = excluded.holder then held.since else excluded.since end
     where held.holder = excluded.holder or held.expires_at < clock_timestamp()
     returning type`,
    [type, holder, label, seconds],
  );
  if (acquired.length > 0) return { locked: true };
  const [held] = await store.query(
    "select label, since::text as since from engine_catalog.engine_catalog_lock where type = $1",
    [type],
  );
  return { locked: false, held_by: String(held?.label ?? ""), since: held === undefined ? null : String(held.since) };
}
