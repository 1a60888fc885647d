/** Limits of a result for an assistant: a longer result is refused, because a shortened one would look complete. */
import type { ResultField } from "../../model/planner/request/describe-operation.ts";
import { EngineError } from "../../values/errors.ts";

export interface ResultLimits {
  /** Maximum number of items of all lists of rows or objects. */
  readonly rows: number;
  /** Maximum size in bytes of JSON. */
  readonly bytes: number;
}

/** Minimum length of an item with its separator, such as `1,`. */
const minItemLength = 2;

/**
 * Checks the size of a result.
 * @param data JSON text
 * @param fields returns the fields of the result, whose lists count; lists in JSON values do not
 * @throws EngineError `result-limit-exceeded` if a limit is exceeded
 */
export function checkResult(data: string, { rows, bytes }: ResultLimits, fields: () => readonly ResultField[]): void {
  const length = data.length * 3 <= bytes ? data.length : Buffer.byteLength(data);
  if (length > bytes) throw exceeded(`has ${length} bytes of JSON`, `${bytes} bytes`);
  if (data.length < rows * minItemLength) return;
  const count = countItems(JSON.parse(data), fields());
  if (count > rows) throw exceeded(`has ${count} rows`, `${rows} rows`);
}

function exceeded(size: string, limit: string): EngineError {
  const message = `the result ${size}, more than the limit of ${limit}: request fewer rows, with a filter or a limit`;
  return new EngineError("result-limit-exceeded", "$", message);
}

function countItems(value: unknown, fields: readonly ResultField[]): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  for (const { key, list, fields: members } of fields) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    if (list && Array.isArray(member)) {
      count += member.length;
      if (members.length > 0) for (const item of member) count += countItems(item, members);
    } else if (members.length > 0) count += countItems(member, members);
  }
  return count;
}
