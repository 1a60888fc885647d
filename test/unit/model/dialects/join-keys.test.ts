/** SQL of join keys on both databases: keys are converted to the types that they are compared with. */
import { describe, expect, it } from "vitest";
import { render, sql, verbatim } from "../../../../runtime/model/definitions/sql.ts";
import { sqlServer } from "../../../../runtime/model/dialects/mssql/dialect.ts";
import { entities as onSqlServer } from "../../../../runtime/model/dialects/mssql/entities.ts";
import { mssql } from "../../../../runtime/model/dialects/mssql/scalars.ts";
import { postgres } from "../../../../runtime/model/dialects/postgres/dialect.ts";
import { entities as onPostgres } from "../../../../runtime/model/dialects/postgres/entities.ts";
import { pg } from "../../../../runtime/model/dialects/postgres/scalars.ts";
import { problemsOfTsql } from "../../../support/tsql.ts";

const key = verbatim("k.k1");

describe("Join keys on SQL Server", () => {
  it.each([
    ["bigint", "bigint", "cast(k.k1 as bigint)"],
    ["int", "bigint", "cast(k.k1 as bigint)"],
    ["bigint", "int", "try_cast(k.k1 as int)"],
    [
      "decimal",
      "bigint",
      "case when try_cast(k.k1 as decimal(38, 10)) = floor(try_cast(k.k1 as decimal(38, 10))) then try_cast(try_cast(k.k1 as decimal(38, 10)) as bigint) end",
    ],
    [
      "float",
      "int",
      "case when try_cast(k.k1 as float) = floor(try_cast(k.k1 as float)) then try_cast(try_cast(k.k1 as float) as int) end",
    ],
  ])("A join key of type %s is compared with %s on SQL Server", (from, to, text) => {
    const operand = onSqlServer.joinOperand(key, mssql(to), mssql(from));
    const statement = render(sql`select ${operand} as k1`, sqlServer).text;
    expect(statement).toBe(`select ${text} as k1`);
    expect(problemsOfTsql(`${statement} from t k`)).toEqual([]);
  });
});

describe("Join keys on PostgreSQL", () => {
  it.each([
    ["int8", "int8", "k.k1::int8"],
    ["int4", "int8", "k.k1::int8"],
    ["int8", "int2", "case when k.k1::numeric >= -32768 and k.k1::numeric < 32768 then k.k1::numeric::int2 end"],
    [
      "float8",
      "int4",
      "case when k.k1::float8 = trunc(k.k1::float8) and k.k1::float8 >= -2147483648 and k.k1::float8 < 2147483648 then k.k1::float8::int4 end",
    ],
    ["text", "uuid", "k.k1::uuid"],
    ["money", "int4", "k.k1::int4"],
  ])("A join key of type %s is compared with %s on PostgreSQL", (from, to, text) => {
    const operand = onPostgres.joinOperand(key, pg(to), pg(from));
    expect(render(sql`select ${operand}`, postgres).text).toBe(`select ${text}`);
  });

  it("A SQL Server uuid is lower-cased if it is compared with text", () => {
    const operand = onPostgres.joinOperand(key, pg("text"), mssql("uniqueidentifier"));
    expect(render(operand, postgres).text).toBe("lower(k.k1)::text");
  });
});
