/** Evaluates a relative start of a stream, such as `now()`, once when the stream starts. */

import type { DatabaseSource, SqlValue } from "../databases/sources/source.ts";
import type { PlannedCursor } from "../model/planner/plan.ts";

/**
 * Returns the current value of a relative start as text; `undefined` if the start is absolute.
 * @param values values of the stream's statement
 * @throws EngineError if the database cannot evaluate the text
 */
export async function startOfStream(
  source: DatabaseSource,
  cursor: PlannedCursor | undefined,
  values: readonly SqlValue[],
): Promise<SqlValue | undefined> {
  const startText = cursor && values[cursor.slots[0] ?? -1];
  if (cursor?.start === undefined || typeof startText !== "string" || !cursor.start.isRelative(startText))
    return undefined;
  const [[start = null] = []] = await source.query({ text: cursor.start.text }, [startText]);
  return start;
}
