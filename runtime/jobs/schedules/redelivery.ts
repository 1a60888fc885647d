/** Resets ended one-off events and events of cron triggers, so that they are delivered again. */
import type { AutomationDatabase } from "../delivery/database.ts";
import { type EventKind, tablesOf } from "./statements.ts";

type Database = Pick<AutomationDatabase, "query">;

/** States of ended events. */
type EndedStatus = "delivered" | "error" | "dead";

const reset = "status = 'scheduled', tries = 0, next_retry_at = null, redelivered_at = statement_timestamp()";

/**
 * Condition of an event that may be scheduled again. At most one scheduled event of a trigger has a given time, which a
 * unique index ensures: of several ended ones, only the one with the greatest id is redelivered.
 */
function isAlone(kind: EventKind): string {
  if (kind === "one_off") return "true";
  return `not exists (select from ${tablesOf.cron.events} o
      where o.trigger_name = e.trigger_name and o.scheduled_time = e.scheduled_time and o.id <> e.id
        and (o.status in ('scheduled', 'locked') or o.id > e.id))`;
}

/** Resets an event. Parameter: id. Returns its status before, and whether it was reset. */
const resetStatement = (kind: EventKind): string => `
  with changed as (
    update ${tablesOf[kind].events} e set ${reset}
    where e.id = $1 and e.status in ('delivered', 'error', 'dead') and ${isAlone(kind)}
    returning e.id
  )
  select e.status, exists (select from changed) as is_reset, ${isAlone(kind)} as is_alone
  from ${tablesOf[kind].events} e where e.id = $1`;

/**
 * Resets a batch of events of one status, earliest first. Parameters: trigger (null for one-off events), status, start
 * and end of the scheduled times, time and id of the last event of the previous batch, start of the operation (null for
 * now), batch size. Returns the number of reset events, the last event, the number of found events, the start of the
 * operation.
 */
const resetBatchStatement = (kind: EventKind): string => `
  with batch as materialized (
    select e.ctid, e.id, e.scheduled_time from ${tablesOf[kind].events} e
    where ${kind === "cron" ? "e.trigger_name = $1" : "$1::text is null"} and e.status = $2
      and e.scheduled_time >= coalesce($3::timestamptz, '-infinity')
      and e.scheduled_time < coalesce($4::timestamptz, 'infinity')
      and (e.scheduled_time, e.id) > (coalesce($5::timestamptz, '-infinity'), coalesce($6, ''))
      and (e.redelivered_at is null or e.redelivered_at < coalesce($7::timestamptz, statement_timestamp()))
    order by e.scheduled_time, e.id limit $8 for update skip locked
  ), changed as (
    update ${tablesOf[kind].events} e set ${reset}
    from batch where e.ctid = batch.ctid and ${isAlone(kind)}
    returning 1
  )
  select (select count(*) from changed)::int as changed, (select count(*) from batch)::int as found,
    last.scheduled_time::text as time, last.id, coalesce($7::timestamptz, statement_timestamp())::text as start
  from (select 1) one left join (
    select scheduled_time, id from batch order by scheduled_time desc, id desc limit 1
  ) last on true`;

/** Resets an event. @returns `done`, or the reason why the event cannot be redelivered */
export async function redeliverScheduledEvent(
  database: Database,
  kind: EventKind,
  id: string,
): Promise<"done" | "not found" | "busy" | "scheduled" | "superseded"> {
  const [found] = await database.query(resetStatement(kind), [id]);
  if (found === undefined) return "not found";
  if (found.is_reset === true) return "done";
  if (found.status === "scheduled") return "scheduled";
  // An ended event that is alone was reset or claimed at the same time.
  return found.status === "locked" || found.is_alone === true ? "busy" : "superseded";
}

export interface ScheduledRedelivery {
  readonly kind: EventKind;
  /** Absent for one-off events. */
  readonly trigger?: string;
  readonly statuses: readonly EndedStatus[];
  /** Range of scheduled times in ISO 8601; `from` is inclusive, `to` exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Number of events per statement, which locks them until it ends. */
const batchSize = 1000;

/**
 * Resets all events of some statuses. Events that end again during the operation are not reset twice.
 * @returns the number of events
 */
export async function redeliverScheduledEvents(
  database: Database,
  { kind, trigger, statuses, from, to }: ScheduledRedelivery,
): Promise<number> {
  const text = resetBatchStatement(kind);
  let total = 0;
  let start: unknown = null;
  for (const status of new Set(statuses)) {
    let last: readonly unknown[] = [null, null];
    for (;;) {
      const values = [trigger ?? null, status, from ?? null, to ?? null, ...last, start, batchSize];
      const [row] = await database.query(text, values);
      total += Number(row?.changed);
      start = row?.start;
      if (Number(row?.found) < batchSize) break;
      last = [row?.time, row?.id];
    }
  }
  return total;
}
