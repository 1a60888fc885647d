/** Rehearsal of mutations: the reported effect is that of the mutation, and nothing is changed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WriteEffect } from "../../../runtime/ports/agent-tools.ts";
import { by, rowsSql, tool, useAssistant } from "./assistant.ts";

const assistant = useAssistant();
const { run, sql } = assistant;
const rehearse = (text: string) => assistant.service.rehearse(tool(text), {}, by);

describe("Rehearsal of a mutation", () => {
  const counts = async (): Promise<unknown> =>
    sql(
      "select (select count(*) from member) m, (select count(*) from loan) l, (select count(*) from fine) f, (select count(*) from audit) a",
    );

  it("The effect includes triggers and foreign keys; tables that the role cannot see have no name", async () => {
    const before = await counts();
    expect(await rehearse("mutation { delete_member(where: {id: {_eq: 3}}) { affected_rows } }")).toEqual([
      { table: "loan", inserted: 0, updated: 0, deleted: 6 },
      { table: "member", inserted: 0, updated: 0, deleted: 1 },
      { table: null, inserted: 0, updated: 0, deleted: 1 },
    ]);
    expect(
      await rehearse(
        'mutation { a: insert_loan_one(object: {id: 100, member: 1, book: "x"}) { id } b: update_loan(where: {id: {_lt: 4}}, _set: {book: "y"}) { affected_rows } }',
      ),
    ).toEqual([
      { table: "loan", inserted: 1, updated: 3, deleted: 0 },
      { table: null, inserted: 1, updated: 0, deleted: 0 },
    ]);
    expect(await counts()).toEqual(before);
  });

  it("The effect includes rows of relationships that an update writes, and no rows that it only finds", async () => {
    const before = await counts();
    const related = `loans: {
      delete: { where: { id: { _lt: 10 } } }
      update: [{ where: { id: { _gt: 20 } }, _set: { book: "z" } }]
      insert: { data: [{ id: 500, book: "n" }] }
    }`;
    const loans = [
      { table: "loan", inserted: 1, updated: 2, deleted: 1 },
      { table: null, inserted: 1, updated: 0, deleted: 0 },
    ];
    const update = (set: string) =>
      `mutation { update_member_by_pk(pk_columns: {id: 1}, ${set} _related: {${related}}) { loans { id } } }`;
    expect(await rehearse(update(""))).toEqual(loans);
    expect(await rehearse(update('_set: {name: "x"},'))).toEqual([
      loans[0],
      { table: "member", inserted: 0, updated: 1, deleted: 0 },
      loans[1],
    ]);
    const found = `mutation { insert_member(objects: [{ id: 1, name: "x" }, { id: 60, name: "y" }],
      on_conflict: { constraint: member_pkey, return_existing: true }) { changes { inserted old { name } new { id } } } }`;
    expect(await rehearse(found)).toEqual([{ table: "member", inserted: 1, updated: 0, deleted: 0 }]);
    expect(await counts()).toEqual(before);
  });

  it("A mutation without an effect has an empty effect, whatever ran on the connection before", async () => {
    await run('mutation { update_loan(where: {id: {_eq: 1}}, _set: {book: "book 1"}) { affected_rows } }');
    for (let i = 0; i < 3; i++) {
      expect(await rehearse("mutation { delete_loan(where: {id: {_eq: -1}}) { affected_rows } }")).toEqual([]);
    }
  });

  it("Rows of a partition count as rows of its table", async () => {
    expect(await rehearse("mutation { add_visit(args: {nr: 1}) { id } }")).toEqual([
      { table: "visit", inserted: 1, updated: 0, deleted: 0 },
    ]);
  });

  it.each(["add_visit_q(args: {nr: 1})", "visit_natively(args: {nr: 1})"])(
    "A query that writes changes nothing before its confirmation: %s",
    async (field) => {
      expect(await rehearse(`query { ${field} { id } }`)).toEqual([
        { table: "visit", inserted: 1, updated: 0, deleted: 0 },
      ]);
      expect(await sql("select * from visit")).toEqual([]);
    },
  );

  it("A mutation that would fail fails in the same way", async () => {
    const failing = 'mutation { insert_loan_one(object: {id: 5000, member: 1, book: "x"}) { id } }';
    const refused = { code: "permission-error", path: "$.selectionSet.insert_loan_one.args.object" };
    await expect(run(failing)).rejects.toMatchObject(refused);
    await expect(rehearse(failing)).rejects.toMatchObject(refused);
    const duplicate = 'mutation { insert_loan_one(object: {id: 1, member: 1, book: "x"}) { id } }';
    await expect(rehearse(duplicate)).rejects.toMatchObject({ code: "constraint-violation" });
  });

  it("The effect equals the effect of the mutation, for random mutations", async () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 6 });
    const step = fc.oneof(
      ids.map((list) => `delete_loan(where: {id: {_in: ${JSON.stringify(list)}}}) { affected_rows }`),
      ids.map((list) => `delete_member(where: {id: {_in: ${JSON.stringify(list)}}}) { affected_rows }`),
      ids.map(
        (list) => `update_loan(where: {id: {_in: ${JSON.stringify(list)}}}, _set: {book: "z"}) { affected_rows }`,
      ),
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 60 })).map(
        ([member, most, id]) => `update_member_by_pk(pk_columns: {id: ${member}}, _related: {loans: {
          delete: {where: {id: {_lt: ${most}}}}, insert: {data: [{id: ${id}, book: "r"}]}}}) { id }`,
      ),
      fc.integer({ min: 41, max: 60 }).map((id) => `insert_loan(objects: [{id: ${id}, book: "n"}]) { affected_rows }`),
    );
    const law = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const text = `mutation { ${steps.map((each, i) => `f${i}: ${each}`).join(" ")} }`;
      const before = await snapshot();
      const told = await rehearse(text).catch((error: Error) => error.message);
      expect(await snapshot()).toEqual(before);
      const done = await run(text).catch((error: Error) => error.message);
      const after = await snapshot();
      if (typeof done === "string") {
        expect(told).toBe(done);
        return;
      }
      for (const table of ["member", "loan"] as const) {
        const effect = (told as readonly WriteEffect[]).find((each) => each.table === table);
        const difference = after[table].length - before[table].length;
        expect((effect?.inserted ?? 0) - (effect?.deleted ?? 0)).toBe(difference);
      }
      await sql(`truncate member, loan, fine, audit; ${rowsSql}`);
    });
    await fc.assert(law, { numRuns: 15 });
  }, 60_000);

  type Snapshot = Readonly<Record<"member" | "loan", readonly unknown[]>>;

  const snapshot = async (): Promise<Snapshot> => {
    const all =
      "(select json_agg(m order by id) from member m) member, (select json_agg(l order by id) from loan l) loan";
    const [row] = (await sql(`select ${all}`)) as readonly [Record<"member" | "loan", readonly unknown[] | null>];
    return { member: row.member ?? [], loan: row.loan ?? [] };
  };
});
