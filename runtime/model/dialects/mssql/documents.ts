/** Rows in JSON texts, in SQL Server. */
import type { Dialect } from "../../definitions/dialect.ts";
import { documentPlace } from "../../definitions/json-document.ts";
import { joinSql, sql, verbatim } from "../../definitions/sql.ts";
import { quoteIdentifier } from "./quote.ts";

const placeName = verbatim(quoteIdentifier(documentPlace));

/** An item that is null has no rows in it. */
export const documentRows: Dialect["documentRows"] = (value, { list, members }) => {
  const columns = members.map(({ key, sql: name, type, nested }) => {
    const path = `'$.${JSON.stringify(key).replaceAll("'", "''")}'`;
    return verbatim(nested ? `${name} nvarchar(max) ${path} as json` : `${name} ${type} ${path}`);
  });
  const shape = sql`with (${joinSql(columns, ", ")})`;
  if (!list) return sql`(select r.* from openjson(${value}) ${shape} r)`;
  const place = sql`cast(i.[key] as int) as ${placeName}`;
  return sql`(select r.*, ${place} from openjson(${value}) i cross apply openjson(i.[value]) ${shape} r)`;
};
