/** The slots that a server keeps for superusers, which it also hands to an engine that connects as one. */
import type { PostgresConnection } from "./connection.ts";

/** Whether no other role could have connected any more. Poolers and servers that do not say it have no such slots. */
export async function takesReservedSlot(connection: PostgresConnection): Promise<boolean> {
  const [row] = await connection.runSteps([{ text: freeSlotsStatement, values: [] }]).catch(() => []);
  return Number(row?.[0] ?? 0) < 0;
}

const freeSlotsStatement = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0)
    - (select count(*) from pg_catalog.pg_stat_activity where backend_type = 'client backend')`;
