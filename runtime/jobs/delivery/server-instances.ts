/** Instances that share the metadata database, and what they hold of its queues (`lease.ts` has the rules). */
import type { AutomationDatabase } from "./database.ts";
import type { Instances } from "./queue.ts";

/** A table whose rows instances take: `taken` while one holds a row, `free` before and when it gives the row back. */
interface SharedQueue {
  readonly table: string;
  readonly taken: string;
  readonly free: string;
  /** Where others hear that rows are free, and the word for it; absent: they look by the clock. */
  readonly told?: { readonly channel: string; readonly message: string };
}

/** Told `created` when calls of actions wait, and `ended` when some have ended. */
export const actionsChannel = "engine_actions";

/** All of the metadata database: an instance that is gone holds nothing of any. */
const queues: readonly SharedQueue[] = [
  { table: "engine_catalog.engine_cron_events", taken: "locked", free: "scheduled" },
  { table: "engine_catalog.engine_scheduled_events", taken: "locked", free: "scheduled" },
  {
    table: "engine_catalog.engine_action_log",
    taken: "processing",
    free: "created",
    told: { channel: actionsChannel, message: "created" },
  },
];

const instances = "engine_catalog.engine_server_instances";

/** Removes instances, and frees what they hold in the same moment. */
const removal = (condition: string): string => `
  with gone as (delete from ${instances} where ${condition} returning id),
  ${queues
    .map(
      ({ table, taken, free }, index) => `freed_${index} as (
    update ${table} set status = '${free}', locked_by = null, locked_at = null
    where status = '${taken}' and locked_by in (select id from gone)
    returning 1
  )`,
    )
    .join(", ")}
  select id${queues
    .map(({ told }, index) => {
      if (told === undefined) return "";
      return `, (select pg_notify('${told.channel}', '${told.message}') where exists (select from freed_${index}))`;
    })
    .join("")}
  from gone`;

const leave = removal("id = any ($1::uuid[])");
/** Those that gave no sign of life for so long: one that stays, seconds. */
const expel = removal("id <> $1 and seen_at < clock_timestamp() - make_interval(secs => $2)");

/** No row while somebody keeps it from being removed, as a look does that takes something. */
const settle = `select id from ${instances} where id = $1 for update skip locked`;
const release = queues.map(
  ({ table, taken, free }) => `update ${table} set status = '${free}', locked_by = null, locked_at = null
    where status = '${taken}' and locked_by = $1 and id::text <> all ($2::text[])`,
);

const freeForgotten = queues.map(
  ({ table, taken, free }) => `update ${table} set status = '${free}', locked_by = null, locked_at = null
    where status = '${taken}' and locked_at < coalesce($1::timestamptz, statement_timestamp()) - interval '30 minutes'`,
);

export function serverInstances(database: AutomationDatabase): Instances {
  return {
    async enter(instance) {
      await database.query(`insert into ${instances} (id) values ($1)`, [instance]);
    },
    async renew(instance) {
      const renewal = `update ${instances} set seen_at = clock_timestamp() where id = $1 returning id`;
      return (await database.query(renewal, [instance])).length > 0;
    },
    async leave(gone) {
      await database.query(leave, [gone]);
    },
    async expel(instance, seconds) {
      return (await database.query(expel, [instance, seconds])).length;
    },
    async release(instance, known) {
      if ((await database.query(settle, [instance])).length === 0) return false;
      for (const statement of release) await database.query(statement, [instance, known]);
      return true;
    },
    async freeForgotten() {
      for (const statement of freeForgotten) await database.query(statement, [database.time()]);
    },
  };
}
