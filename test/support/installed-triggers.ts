/**
 * Checks by experiment whether a source records the events that its metadata defines: writes every column of every
 * tracked table in a transaction that is rolled back. Depends on the implementation only for the locations of events
 * and triggers.
 */
import pg from "pg";

interface Operation {
  readonly columns?: "*" | readonly string[];
  readonly payload?: "*" | readonly string[];
}

interface Trigger {
  readonly name: string;
  readonly definition: { readonly insert?: Operation; readonly update?: Operation; readonly delete?: Operation };
}

interface TrackedTable {
  readonly table: { readonly schema: string; readonly name: string };
  readonly event_triggers?: readonly Trigger[];
}

export interface ExportedSource {
  readonly tables: readonly TrackedTable[];
}

/** Returns the recorders of the database: function, table, and whether they are enabled. */
export async function installedTriggers(url: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ line: string }>(
      `select p.proname || ' on ' || coalesce(t.tgrelid::regclass::text, 'nothing')
         || case t.tgenabled when 'O' then '' when 'A' then ' always' else ' switched off' end as line
       from pg_proc p left join pg_trigger t on t.tgfoid = p.oid
       where p.pronamespace = to_regnamespace('engine_catalog') and p.proname like 'notify\\_engine\\_%' order by 1`,
    );
    return rows.map(({ line }) => line);
  });
}

/** Returns the triggers that the metadata defines, in the same form. */
export function wantedTriggers({ tables }: ExportedSource): readonly string[] {
  return tables
    .flatMap(({ table, event_triggers = [] }) =>
      event_triggers.flatMap(({ name, definition }) =>
        (["insert", "update", "delete"] as const)
          .filter((operation) => definition[operation] !== undefined)
          .map((operation) => `notify_engine_${name}_${operation.toUpperCase()} on ${table.name}`),
      ),
    )
    .sort();
}

/**
 * Returns the differences between recorded events and metadata, one line each. Tables need a column `id` and further
 * columns that accept `0` and `1`.
 */
export async function wronglyRecorded(url: string, { tables }: ExportedSource, all: readonly string[]) {
  return withClient(url, async (client) => {
    const wrong: string[] = [];
    for (const name of all) {
      const columns = await columnsOf(client, name);
      if (columns.length === 0) continue;
      const triggers = tables.find(({ table }) => table.name === name)?.event_triggers ?? [];
      const compare = async (sql: string, operation: "insert" | "update" | "delete", changed: string | null) => {
        const found = await recordedBy(client, sql);
        const expected = triggers.flatMap(({ name: trigger, definition }) => {
          const spec = definition[operation];
          if (spec === undefined) return [];
          const { columns: watched = "*", payload = "*" } = spec;
          if (changed !== null && watched !== "*" && !watched.includes(changed)) return [];
          const keys = columns.filter((column) => payload === "*" || payload.includes(column)).sort();
          return [`${trigger} ${operation.toUpperCase()} ${name} ${keys.join(",")}`];
        });
        if (JSON.stringify(found) === JSON.stringify(expected.sort())) return;
        wrong.push(`${sql}: recorded ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
      };
      await client.query("begin");
      const others = columns.filter((column) => column !== "id");
      const list = ["id", ...others].map((column) => `"${column}"`).join(", ");
      await compare(
        `insert into "${name}" (${list}) values (99, ${others.map(() => "'0'").join(", ")})`,
        "insert",
        null,
      );
      for (const column of others) {
        await compare(`update "${name}" set "${column}" = '1' where id = 99`, "update", column);
      }
      await compare(`delete from "${name}" where id = 99`, "delete", null);
      await client.query("rollback");
    }
    return wrong;
  });
}

async function recordedBy(client: pg.Client, sql: string): Promise<readonly string[]> {
  const exists = await client.query("select to_regclass('engine_catalog.event_log') as log");
  const hasLog = exists.rows[0]?.log !== null;
  const known = hasLog ? await client.query<{ id: string }>("select id from engine_catalog.event_log") : { rows: [] };
  await client.query(sql);
  if (!hasLog) return [];
  const { rows } = await client.query<{ line: string }>(
    `select concat_ws(' ', trigger_name, payload ->> 'op', table_name, (
       select string_agg(key, ',' order by key)
       from jsonb_object_keys(payload -> 'data' -> case payload ->> 'op' when 'DELETE' then 'old' else 'new' end) as key
     )) as line
     from engine_catalog.event_log where not id = any ($1)`,
    [known.rows.map(({ id }) => id)],
  );
  return rows.map(({ line }) => line).sort();
}

async function columnsOf(client: pg.Client, table: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select attname::text as name from pg_attribute
     where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`,
    [`public."${table}"`],
  );
  return rows.map(({ name }) => name);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
