/**
 * Asks the server what a native query gives, without running it: `sys.dm_exec_describe_first_result_set` parses and
 * binds a batch, and answers its columns or why it is refused.
 */

import { EngineError } from "../../../runtime/values/errors.ts";
import { fillArguments } from "../../catalog/native-code.ts";
import type { NativeColumn, NativeQueryQuestion } from "../../shape/native-query.ts";
import type { Query } from "../dialect.ts";

/**
 * The columns of the model that the query gives.
 * @throws EngineError `bad-request` with the server's words when it refuses the query; the error of `query`
 */
export async function checkNativeQuery(
  query: Query,
  question: NativeQueryQuestion,
): Promise<ReadonlyMap<string, NativeColumn>> {
  const found = await describe(query, withoutPlaceholders(question));
  const columns = new Map<string, NativeColumn>();
  for (const [name, type] of Object.entries(question.columns)) {
    const given = found.get(name);
    if (given === undefined) continue;
    const [named] = await describe(query, `select cast(null as ${type}) as c`)
      .then((described) => [...described.values()])
      .catch((error: unknown) => {
        if (error instanceof EngineError && error.status < 500) return [];
        throw error;
      });
    columns.set(name, { type: baseName(given), expected: named === undefined ? null : baseName(named) });
  }
  return columns;
}

/** Each placeholder is a NULL of the argument's type. */
function withoutPlaceholders({ code, arguments: types }: NativeQueryQuestion): string {
  return fillArguments(code, (name) => `cast(null as ${types[name] ?? "nvarchar(max)"})`);
}

/** Types by the names of the columns that a batch would answer. */
async function describe(query: Query, batch: string): Promise<ReadonlyMap<string, string>> {
  const text = `N'${batch.replaceAll("'", "''")}'`;
  const rows = await query(
    `select name, system_type_name, error_message from sys.dm_exec_describe_first_result_set(${text}, null, 0)`,
  );
  const refusal = rows.find(([, , message]) => message !== null && message !== undefined);
  if (refusal) throw new EngineError("bad-request", "$", String(refusal[2]));
  return new Map(rows.flatMap(([name, type]) => (name && type ? [[name, type] as const] : [])));
}

/** The type without its length or precision, which a model does not have to repeat. */
function baseName(type: string): string {
  return type.replace(/\(.*\)$/, "");
}
