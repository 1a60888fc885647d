/** `get_catalog_state`, `set_catalog_state`, `lock_catalog_state`: what tools store beside the metadata. */
import type { Json } from "../../compiler/catalog/model.ts";
import type { LockCatalogStateCall, SetCatalogStateCall } from "../../compiler/metadata/io.ts";
import { stringifyJson } from "../values/json-number.ts";
import type { MetadataStore } from "./store.ts";

export async function getCatalogState(store: MetadataStore): Promise<Json> {
  const { id, cliState, consoleState } = await store.catalogState();
  return { id, cli_state: cliState as Json, console_state: consoleState as Json };
}

export async function setCatalogState({ input }: SetCatalogStateCall, store: MetadataStore): Promise<Json> {
  await store.setCatalogState(input.type, stringifyJson(input.state));
  return { message: "success" };
}

/**
 * Takes, renews or, for 0 seconds, gives back the lock on a tool's state. Times are those of the database's clock. The
 * answer says who has it.
 */
export async function lockCatalogState({ input }: LockCatalogStateCall, store: MetadataStore): Promise<Json> {
  const { type, holder, label, seconds } = input;
  if (seconds === 0) {
    await store.query("delete from engine_catalog.engine_catalog_lock where type = $1 and holder = $2", [type, holder]);
    return { locked: false };
  }
  const taken = await store.query(
    `insert into engine_catalog.engine_catalog_lock as held (type, holder, label, expires_at)
     values ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')
     on conflict (type) do update set holder = excluded.holder, label = excluded.label, expires_at = excluded.expires_at,
       since = case when held.holder = excluded.holder then held.since else excluded.since end
     where held.holder = excluded.holder or held.expires_at < clock_timestamp()
     returning type`,
    [type, holder, label, seconds],
  );
  if (taken.length > 0) return { locked: true };
  const [held] = await store.query(
    "select label, since::text as since from engine_catalog.engine_catalog_lock where type = $1",
    [type],
  );
  return { locked: false, held_by: String(held?.label ?? ""), since: held === undefined ? null : String(held.since) };
}
