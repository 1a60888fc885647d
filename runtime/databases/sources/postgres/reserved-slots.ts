/** Detects connections in slots reserved for superusers, which an engine that connects as a superuser also receives. */
import type { PostgresConnection } from "./connection.ts";

/**
 * Returns true if other roles can no longer connect. Returns false for poolers and servers without this information.
 */
export async function takesReservedSlot(connection: PostgresConnection): Promise<boolean> {
  const [row] = await connection.runSteps([{ text: freeSlotsStatement, values: [] }]).catch(() => []);
  return Number(row?.[0] ?? 0) < 0;
}

const freeSlotsStatement = `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0)
    - (select count(*) from pg_catalog.pg_stat_activity where backend_type = 'client backend')`;
