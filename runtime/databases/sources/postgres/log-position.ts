/**
 * Positions in the write-ahead log of a primary and its standbys (PostgreSQL documentation, "Recovery Information
 * Functions").
 */
import { latest } from "../../../values/read-after.ts";
import type { DatabaseSource } from "../source.ts";

/** Returns a position after the commits of all finished transactions, flushed to disk or not. */
export async function currentLogPosition(primary: DatabaseSource): Promise<string> {
  const [row] = await primary.query({ text: "select pg_current_wal_insert_lsn()::text", onlyReads: true }, []);
  return row?.[0] ?? latest;
}

/** The last known replay position of each standby, which never decreases. */
const reached = new WeakMap<DatabaseSource, bigint>();

/** Returns true if the standby has replayed the log up to `place`. Returns false for servers that are not standbys. */
export async function hasReached(copy: DatabaseSource, place: string): Promise<boolean> {
  if (place === latest) return false;
  const wanted = parseLsn(place);
  if ((reached.get(copy) ?? -1n) >= wanted) return true;
  const [row] = await copy.query({ text: "select pg_last_wal_replay_lsn()::text", onlyReads: true }, []);
  const now = row?.[0];
  if (now == null) return false;
  reached.set(copy, parseLsn(now));
  return parseLsn(now) >= wanted;
}

/** Parses a `pg_lsn`: two hexadecimal numbers of 32 bits. */
function parseLsn(place: string): bigint {
  const [high = "", low = ""] = place.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
