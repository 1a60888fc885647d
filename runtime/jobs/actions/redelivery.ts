/** Resets failed calls of asynchronous actions, so that their handlers are called again. */
import type { AutomationDatabase } from "../delivery/database.ts";
import { actionsChannel } from "../delivery/server-instances.ts";

const log = "engine_catalog.engine_action_log";

/** Number of calls per statement, which locks them until it ends. */
const batchSize = 1000;

/**
 * Parameters: actions, start and end of the creation times, ids (all calls if null), start of the operation (the current
 * time if null), batch size. Returns the number of reset calls and the start of the operation.
 */
const resetStatement = `
  with batch as materialized (
    select l.id from ${log} l
    where l.action_name = any ($1::text[]) and l.status = 'error'
      and l.created_at >= coalesce($2::timestamptz, '-infinity') and l.created_at < coalesce($3::timestamptz, 'infinity')
      and ($4::uuid[] is null or l.id = any ($4::uuid[]))
      and (l.redelivered_at is null or l.redelivered_at < coalesce($5::timestamptz, statement_timestamp()))
    limit $6 for update skip locked
  ), changed as (
    update ${log} l set status = 'created', tries = 0, next_retry_at = null, errors = null, response_received_at = null,
      redelivered_at = statement_timestamp()
    from batch where l.id = batch.id
    returning l.id
  )
  select (select count(*) from changed)::int as changed,
    coalesce($5::timestamptz, statement_timestamp())::text as start,
    pg_notify('${actionsChannel}', 'created')`;

export interface CallRedelivery {
  readonly actions: readonly string[];
  /** Absent for all failed calls of the actions. */
  readonly ids?: readonly string[];
  /** Range of creation times in ISO 8601; `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Resets failed calls. Calls that fail again during the operation are not reset twice.
 * @returns the number of calls
 */
export async function redeliverCalls(
  database: Pick<AutomationDatabase, "query">,
  { actions, ids, from, to }: CallRedelivery,
): Promise<number> {
  let total = 0;
  let start: unknown = null;
  for (;;) {
    const values = [actions, from ?? null, to ?? null, ids ?? null, start, batchSize];
    const [row] = await database.query(resetStatement, values);
    const changed = Number(row?.changed);
    total += changed;
    start = row?.start;
    if (changed < batchSize) return total;
  }
}
