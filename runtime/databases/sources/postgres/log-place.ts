/** Places of the write-ahead log of a server and its standbys (PostgreSQL, "Recovery Information Functions"). */
import { latest } from "../../../values/read-after.ts";
import type { DatabaseSource } from "../source.ts";

/** After the commit of every transaction that has ended, written to disk or not. */
export async function placeOfLog(primary: DatabaseSource): Promise<string> {
  const [row] = await primary.query({ text: "select pg_current_wal_insert_lsn()::text", onlyReads: true }, []);
  return row?.[0] ?? latest;
}

/** What each standby is known to have reached: it never goes back. */
const reached = new WeakMap<DatabaseSource, bigint>();

/** Of what is no standby, nothing is known. */
export async function hasReached(copy: DatabaseSource, place: string): Promise<boolean> {
  if (place === latest) return false;
  const wanted = numberOf(place);
  if ((reached.get(copy) ?? -1n) >= wanted) return true;
  const [row] = await copy.query({ text: "select pg_last_wal_replay_lsn()::text", onlyReads: true }, []);
  const now = row?.[0];
  if (now == null) return false;
  reached.set(copy, numberOf(now));
  return numberOf(now) >= wanted;
}

/** The two halves of a `pg_lsn` are hexadecimal numbers of 32 bits. */
function numberOf(place: string): bigint {
  const [high = "", low = ""] = place.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
