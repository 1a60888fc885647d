/** The instances that share the metadata database and its queues (rules in `lease.ts`). */
import type { AutomationDatabase } from "./database.ts";
import type { Instances } from "./queue.ts";

/** A table of calls, with the status values of claimed and available rows. */
interface SharedQueue {
  readonly table: string;
  readonly taken: string;
  readonly free: string;
  /** Channel and message that announce released rows; absent if instances poll. */
  readonly notification?: { readonly channel: string; readonly message: string };
}

/** Channel for the messages `created` (calls of actions are waiting) and `ended` (some calls have ended). */
export const actionsChannel = "engine_actions";

/** All queues of the metadata database. Removing an instance releases its rows in all of them. */
const queues: readonly SharedQueue[] = [
  { table: "engine_catalog.engine_cron_events", taken: "locked", free: "scheduled" },
  { table: "engine_catalog.engine_scheduled_events", taken: "locked", free: "scheduled" },
  {
    table: "engine_catalog.engine_action_log",
    taken: "processing",
    free: "created",
    notification: { channel: actionsChannel, message: "created" },
  },
];

const instances = "engine_catalog.engine_server_instances";

/** Returns a statement that removes instances and releases their rows atomically. */
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
    .map(({ notification }, index) => {
      if (notification === undefined) return "";
      return `, (select pg_notify('${notification.channel}', '${notification.message}') where exists (select from freed_${index}))`;
    })
    .join("")}
  from gone`;

const leave = removal("id = any ($1::uuid[])");
/** Parameters: the calling instance, seconds since the last renewal. */
const expel = removal("id <> $1 and seen_at < clock_timestamp() - make_interval(secs => $2)");

/** Returns no row while a running claim holds a lock on the instance. */
const settle = `select id from ${instances} where id = $1 for update skip locked`;
const release = queues.map(
  ({ table, taken, free }) => `update ${table} set status = '${free}', locked_by = null, locked_at = null
    where status = '${taken}' and locked_by = $1 and id::text <> all ($2::text[])`,
);

const freeStale = queues.map(
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
    async freeStale() {
      for (const statement of freeStale) await database.query(statement, [database.time()]);
    },
  };
}
