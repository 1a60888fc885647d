/** Streams on SQL Server: supported cursor columns, and waiting for open transactions. */
import { describe, expect, it } from "vitest";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import { planSubscription } from "../../../../../runtime/model/planner/plan-subscription.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { compileShape } from "../../../../support/compiled.ts";
import { shopShape, shopTables } from "../../../../support/mssql-shop.ts";
import { problemsOfTsql } from "../../../../support/tsql.ts";

const schema = roleSchema(compileShape(shopShape, shopTables).role("admin"));

function stream(table: string, column: string, options: { holdStreamsBack?: true; ordering?: string } = {}) {
  const { holdStreamsBack, ordering = "ASC" } = options;
  const cursor = `{ initial_value: { ${column}: $from }, ordering: ${ordering} }`;
  const query = `subscription ($from: ${typeOf(column)}) { ${table}_stream(batch_size: 2, cursor: ${cursor}) { id: __typename } }`;
  const planning = { stringifyNumbers: false, nullCollapse: false, ...(holdStreamsBack && { holdStreamsBack }) };
  const [statement] = planSubscription(
    readOperation(query, null),
    schema,
    { from: column === "version" ? "0x07" : 1 },
    planning,
  ).plan.statements;
  if (!statement) throw new Error("nothing was planned");
  return statement;
}

/** Returns the scalar of `every_type.a_<type>`, or of `customer.version`. */
const scalars: Readonly<Record<string, string>> = { bit: "Boolean", version: "timestamp", id: "Int" };
function typeOf(column: string): string {
  const name = column.replace(/^a_/, "");
  if (/char$|text$/.test(name)) return "String";
  if (/int$/.test(name)) return "Int";
  if (/^(?:decimal|float|money|numeric|real|smallmoney)$/.test(name)) return "Float";
  return scalars[name] ?? name;
}

const ordered = [
  ...["bigint", "binary", "bit", "char", "date", "datetime", "datetime2", "datetimeoffset", "decimal", "float"],
  ...["hierarchyid", "int", "money", "nchar", "numeric", "nvarchar", "real", "smalldatetime", "smallint", "smallmoney"],
  ...["time", "timestamp", "tinyint", "uniqueidentifier", "varbinary", "varchar"],
];

describe("Streams on SQL Server", () => {
  it.each(ordered)("A stream may use a cursor column of type %s", (type) => {
    const { text, multiplexed } = stream("every_type", `a_${type}`);
    expect(problemsOfTsql(text)).toEqual([]);
    expect(problemsOfTsql(multiplexed?.text ?? "")).toEqual([]);
    expect(text).toMatch(
      new RegExp(
        `where t1\\.\\[a_${type}\\] > .*@p2.* order by t1\\.\\[a_${type}\\] asc\\) b having count\\(\\*\\) > 0$`,
      ),
    );
  });

  it.each(["geography", "geometry", "image", "ntext", "sql_variant", "text", "xml"])(
    "A stream refuses a cursor column of type %s",
    (type) => {
      expect(() => stream("every_type", `a_${type}`)).toThrow(
        `values of type "${type}" have no order, so they cannot be a stream's cursor: "a_${type}"`,
      );
    },
  );
});

describe("Held-back streams on SQL Server", () => {
  it("A held-back stream reads the high-water mark of row versions before its rows", () => {
    const { text, slots, cursor } = stream("customer", "version", { holdStreamsBack: true });
    expect(cursor?.highWaterMark?.text).toBe(
      "select convert(nvarchar(max), convert(varbinary(8), convert(bigint, min_active_rowversion()) - 1), 1), N'[]'",
    );
    expect(problemsOfTsql(cursor?.highWaterMark?.text ?? "")).toEqual([]);
    expect(text).toContain(
      "(t1.[version] > convert(binary(8), @p2, 1)) and (t1.[version] <= convert(binary(8), @p3, 1))",
    );
    expect(slots[cursor?.highWaterMark?.slots[0] ?? -1]?.kind).toBe("bound");
    expect(bind(slots, { variables: { from: "0x07" }, session: new Map() })).toEqual(["2", "0x07", null]);
  });

  it("A held-back stream requires a rowversion column, except in descending order, which has no high-water mark", () => {
    expect(() => stream("customer", "id", { holdStreamsBack: true })).toThrow(
      'only streams with a rowversion cursor can wait for open transactions, and "id" is not a rowversion column',
    );
    expect(stream("customer", "id", { holdStreamsBack: true, ordering: "DESC" }).cursor?.highWaterMark).toBeUndefined();
  });
});
