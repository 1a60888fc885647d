/** The end of what ran on a connection of its own: the connection goes back to the pool, or ends. */
import type { PostgresConnection } from "./connection.ts";
import type { ConnectionPool } from "./connection-pool.ts";

/** Never hands on a connection inside a transaction, nor one whose session administrator's SQL has changed. */
export async function giveBack(pool: ConnectionPool, connection: PostgresConnection, ranText: boolean): Promise<void> {
  let usable = !connection.isLost && connection.getTransactionStatus() === "I";
  if (usable && ranText) {
    try {
      await connection.discardSession();
    } catch {
      usable = false;
    }
  }
  pool.give(connection, !usable);
}
