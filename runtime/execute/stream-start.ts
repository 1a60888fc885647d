/** Where a stream begins whose cursor was given a text such as `now()`: a value is chosen once, and stays the same. */

import type { DatabaseSource, SqlValue } from "../databases/sources/source.ts";
import type { PlannedCursor } from "../model/planner/plan.ts";

/**
 * The text of the value that a relative beginning has now; `undefined`: the beginning is none, and stays as it is.
 * @param values of the statement of the stream
 * @throws EngineError of the database, for a text that its type does not read
 */
export async function startOfStream(
  source: DatabaseSource,
  cursor: PlannedCursor | undefined,
  values: readonly SqlValue[],
): Promise<SqlValue | undefined> {
  const given = cursor && values[cursor.slot];
  if (cursor?.start === undefined || typeof given !== "string" || !cursor.start.isRelative(given)) return undefined;
  const [[start = null] = []] = await source.query({ text: cursor.start.text }, [given]);
  return start;
}
