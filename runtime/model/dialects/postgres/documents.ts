/** Rows in JSON values, in PostgreSQL. A composite value, or an array of such, is JSON of the same form. */
import type { Dialect } from "../../definitions/dialect.ts";
import { documentPlace } from "../../definitions/json-document.ts";
import { joinSql, sql, verbatim } from "../../definitions/sql.ts";
import { quoteIdentifier } from "./quote.ts";

const place = verbatim(quoteIdentifier(documentPlace));

/** JSON null is no value; what is no object in a list is left out. */
export const documentRows: Dialect["documentRows"] = (value, { list, members }) => {
  const columns = joinSql(
    members.map(({ sql: name, type }) => verbatim(`${name} ${type}`)),
    ", ",
  );
  const json = sql`nullif(to_jsonb(${value}), 'null')`;
  if (!list) {
    return sql`(select r.* from (select ${json} as v) d cross join lateral jsonb_to_record(d.v) as r(${columns}) where d.v is not null)`;
  }
  const items = sql`jsonb_array_elements(${json}) with ordinality as e(v, n)`;
  return sql`(select r.*, e.n as ${place} from ${items} cross join lateral jsonb_to_record(e.v) as r(${columns}) where jsonb_typeof(e.v) = 'object')`;
};
