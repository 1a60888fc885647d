/** Checks of native queries against a fake SQL Server, which describes batches without running them. */
import { expect, it } from "vitest";
import { mssql } from "../../../compiler/dialects/mssql/introspect.ts";

const refusals: readonly (readonly [batch: RegExp, message: string])[] = [
  [/\(with /, "Incorrect syntax near the keyword 'with'."],
  [
    /order by id\n\) given/,
    "The ORDER BY clause is invalid in derived tables, unless TOP or OFFSET is also specified.",
  ],
  [/from missing/, "Invalid object name 'missing'."],
];

/** Returns the description of the batch in the statement. */
async function describe(statement: string): Promise<readonly (readonly (string | null)[])[]> {
  const refusal = refusals.find(([batch]) => batch.test(statement));
  return [refusal ? [null, null, refusal[1]] : ["id", "int", null]];
}

const check = (code: string) => mssql.checkNativeQuery(describe, { code, arguments: {}, columns: { id: "int" } });

it("A native query that can run as a derived table has the types of its columns", async () => {
  expect(await check("select id from book")).toEqual(new Map([["id", { type: "int", expected: "int" }]]));
});

it.each(["with b as (select id from book) select id from b", "select id from book order by id"])(
  "A native query is refused with a remedy if SQL Server refuses it only as a derived table: %s",
  async (code) => {
    await expect(check(code)).rejects.toMatchObject({
      code: "bad-request",
      message: expect.stringMatching(/^(Incorrect syntax|The ORDER BY).* runs as a derived table: use subqueries/),
    });
  },
);

it("A native query that SQL Server refuses in any place is refused with its message", async () => {
  await expect(check("select id from missing")).rejects.toMatchObject({ message: "Invalid object name 'missing'." });
});
