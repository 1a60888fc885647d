/** Results of tools for assistants, and of queries that assistants write. */
import { describe, expect, it } from "vitest";
import { by, useAssistant } from "./assistant.ts";

const assistant = useAssistant();
const { run, sql } = assistant;

describe("Limits of results", () => {
  it("A result with more rows than the limit is refused, also if they are nested", async () => {
    await expect(run("{ loan { id } }", { rows: 29 })).rejects.toMatchObject({
      code: "result-limit-exceeded",
      message: "the result has 30 rows, more than the limit of 29 rows: request fewer rows, with a filter or a limit",
    });
    await expect(run("{ member { id loans { id } } }", { rows: 34 })).rejects.toThrow("has 35 rows");
    expect(await run("{ member { id loans { id } } }", { rows: 35 })).toHaveProperty("member.4.loans.5");
  });

  it("Lists in JSON values and arrays of a column are not rows of a result", async () => {
    expect(await run("{ loan(limit: 2) { facts stars } }", { rows: 2 })).toEqual({
      loan: [
        { facts: [1, 2, 3], stars: [] },
        { facts: [1, 2, 3], stars: [] },
      ],
    });
  });

  it("The limit in bytes counts UTF-8", async () => {
    const text = JSON.stringify({ member: [{ name: "é".repeat(50) }] });
    await sql(`insert into member values (90, repeat('é', 50))`);
    const query = "{ member(where: {id: {_eq: 90}}) { name } }";
    expect(JSON.stringify(await run(query, { bytes: Buffer.byteLength(text) }))).toBe(text);
    await expect(run(query, { bytes: Buffer.byteLength(text) - 1 })).rejects.toThrow("bytes of JSON");
    await sql("delete from member where id = 90");
  });

  it("A tool that exceeds its time is cancelled", async () => {
    const began = performance.now();
    await expect(run("{ slow { id } }", { seconds: 1 })).rejects.toMatchObject({
      code: "time-limit-exceeded",
      message: "time limit of 1 seconds exceeded",
    });
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});

const documentOf = (query: string) => ({ query, operationName: null, variables: null });

describe("Queries by assistants", () => {
  it.each([
    ["mutation { delete_loan(where: {}) { affected_rows } }", "a mutation cannot run here, only a query"],
    ["subscription { loan { id } }", "a subscription cannot run here, only a query"],
    [
      "{ member { loans { id facts } loans2: loans { id } l3: loans { id } l4: loans { id } l5: loans { id } } }",
      "node of",
    ],
    ["{ loan { secret } }", "field 'secret' not found"],
    ["{ audit { entry } }", "field 'audit' not found"],
    ["{ fine { amount } }", "field 'fine' not found"],
    ["{ loan { id }", "not a valid graphql query"],
  ])("%s is refused", async (text, reason) => {
    await expect(assistant.service.query(documentOf(text), by)).rejects.toThrow(reason);
  });

  it.each(["add_visit_q(args: {nr: 1})", "visit_natively(args: {nr: 1})"])(
    "A function that a query calls cannot write: %s",
    async (field) => {
      await expect(assistant.service.query(documentOf(`{ ${field} { id } }`), by)).rejects.toMatchObject({
        cause: { code: "25006" },
      });
      expect(await sql("select * from visit")).toEqual([]);
    },
  );

  it("A query returns its data", async () => {
    const document = { query: "query A($id: Int!) { loan(where: {id: {_eq: $id}}) { book } }", operationName: "A" };
    expect(JSON.parse(await assistant.service.query({ ...document, variables: { id: 7 } }, by))).toEqual({
      loan: [{ book: "book 7" }],
    });
  });
});
