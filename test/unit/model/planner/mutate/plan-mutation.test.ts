import { parse as parseSql } from "pgsql-parser";
import { describe, expect, it } from "vitest";
import { bind } from "../../../../../runtime/model/definitions/parameters.ts";
import type { WriteStep } from "../../../../../runtime/model/planner/mutate/plan.ts";
import { planMutation } from "../../../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../../../runtime/model/planner/request/document.ts";
import { roleSchema } from "../../../../../runtime/model/schema/role-schema.ts";
import { sampleWriter } from "../../../../support/sample-writer.ts";

const schema = roleSchema(sampleWriter);
const session = new Map([["x-engine-branch-id", "7"]]);
const user = `{"x-engine-branch-id":"7"}`;
const settingUser = (parameter: number) => `(select set_config('engine.user', $${parameter}, true)) is not null`;

type Variables = Record<string, unknown>;

function plan(query: string, variables: Variables = {}) {
  const options = { stringifyNumbers: false, nullCollapse: false };
  return planMutation(readOperation(query, null), schema, variables, options).plan;
}

const steps = (query: string, variables: Variables = {}): WriteStep[] =>
  plan(query, variables).writes.flatMap((write) => [...write.steps]);

/** Returns text and values of the only statement. */
function statement(query: string, variables: Variables = {}) {
  const all = steps(query, variables);
  expect(all).toHaveLength(1);
  const { text = "", slots = [] } = all[0] ?? {};
  return { text, values: bind(slots, { variables, session }) };
}

describe("Insert statements", () => {
  it("An insert takes its rows as one list for each column and raises an error unless all rows pass the check", () => {
    const insert = `mutation ($objects: [book_insert_input!]!) { insert_book(objects: $objects) { affected_rows } }`;
    const objects = [
      { title: "a", pages: 1 },
      { pages: null, title: `b"` },
    ];
    expect(statement(insert, { objects })).toEqual({
      text:
        `with t2 as (insert into "public"."book" as t1 ("title", "pages", "branch_id") ` +
        "select r.c1::text, r.c2::int4, $1::int4 from unnest($2::text[], $3::text[]) as r(c1, c2) " +
        `where ${settingUser(4)} returning (t1."pages" > 0) is true as "ok") ` +
        `select count(*)::text, case when not bool_and(t2."ok") ` +
        "then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end from t2",
      values: ["7", `{"a","b\\""}`, `{"1",NULL}`, user],
    });
  });

  it("An insert uses defaults for columns that a row omits", () => {
    const texts = steps(
      `mutation { insert_book(objects: [{title: "a"}, {title: "b"}, {title: "c", pages: null}, {}]) { affected_rows } }`,
    ).map(({ text }) => text.slice(text.indexOf("insert"), text.indexOf(" from")));
    expect(texts).toEqual([
      `insert into "public"."book" as t1 ("title", "branch_id") select r.c1::text, $1::int4`,
      `insert into "public"."book" as t2 ("title", "pages", "branch_id") select r.c1::text, r.c2::int4, $1::int4`,
      `insert into "public"."book" as t3 ("branch_id") select $1::int4`,
    ]);
  });

  it("An insert of one row returns the row itself", () => {
    expect(statement('mutation { insert_book_one(object: {title: "a"}) { name: title id } }').text).toBe(
      `insert into "public"."book" as t1 ("title", "branch_id") select r.c1::text, $1::int4 ` +
        `from unnest($2::text[]) as r(c1) where ${settingUser(3)} ` +
        `returning json_build_object('name', t1."title", 'id', t1."id")::text, ` +
        `case when not ((t1."pages" > 0) is true) ` +
        "then ('engine: check of a permission has failed ' || random())::int4 end",
    );
  });

  it("An insert reads other tables in a second statement, which sees the written rows", () => {
    const [write, read, ...more] = steps("mutation { insert_author_one(object: {}) { id books { title } } }");
    expect(more).toEqual([]);
    expect(write?.text).toContain(`returning (t1.*)::"public"."author" as "row"`);
    expect(read?.text).toContain(`from unnest($1::"public"."author"[]) t3 limit 1`);
    expect(read?.slots).toEqual([{ kind: "result", key: "result 0 1", step: 0, column: 1 }]);
  });

  it("An upsert updates an existing row within the filter and the check of the update permission", () => {
    const { text } = statement(`mutation { insert_book(objects: {title: "a"}, on_conflict: {
      constraint: book_title_key, update_columns: [pages, title], where: {pages: {_lt: 10}}
    }) { affected_rows } }`);
    expect(text).toContain(
      `on conflict on constraint "book_title_key" do update ` +
        `set "pages" = excluded."pages", "title" = excluded."title", "changed" = 't'::bool ` +
        `where (t1."branch_id" = $1::int4) and (t1."pages" < $4::int4) ` +
        `returning (case when t1.xmax = 0 then t1."pages" > 0 else t1."pages" < 5000 end) is true as "ok"`,
    );
  });

  it("An upsert without update columns keeps an existing row", () => {
    const { text } = statement(
      `mutation { insert_book(objects: {title: "a"}, on_conflict: {constraint: book_title_key}) { affected_rows } }`,
    );
    expect(text).toContain(`on conflict on constraint "book_title_key" do nothing returning (t1."pages" > 0)`);
  });

  it("A nested insert writes referenced rows first", () => {
    const all = steps(`mutation { insert_book(objects: [
      {title: "1", author: {data: {name: "A"}}}, {title: "2", author: {data: {name: "B"}}}
    ]) { affected_rows } }`);
    expect(all.map(({ text }) => /insert into (\S+)/.exec(text)?.[1])).toEqual([
      `"public"."author"`,
      `"public"."book"`,
    ]);
    const [parents, children] = all;
    expect(parents?.expects).toEqual({
      path: "$.selectionSet.insert_book.args.objects",
      message: `cannot proceed to insert object relation "author" since insert to table "author" affects zero rows`,
      column: 0,
      rows: 2,
    });
    const results = [["2", "{11,12}"]];
    expect(bind(children?.slots ?? [], { variables: {}, session, results })).toEqual([
      "7",
      `{"1","2"}`,
      `{"11","12"}`,
      user,
    ]);
  });

  it("A nested insert writes child rows after their parent, with its key", () => {
    const [, children, ...more] = steps(`mutation { insert_author(objects: [
      {name: "A", books: {data: [{title: "1"}, {title: "2"}]}}, {name: "B", books: {data: {title: "3"}}}
    ]) { affected_rows } }`);
    expect(more).toEqual([]);
    expect(children?.text).toContain(`("title", "author_id", "branch_id") select r.c1::text, r.p1::int4, $1::int4`);
    expect(bind(children?.slots ?? [], { variables: {}, session, results: [["2", "{11,12}"]] })).toEqual([
      "7",
      `{"1","2","3"}`,
      `{"11","11","12"}`,
      user,
    ]);
  });
});

describe("Inserts of rows with and without nested rows", () => {
  const objects = `[{name: "A"}, {name: "B", books: {data: [{title: "1"}, {title: "2"}]}}, {name: "C"}]`;
  const targets = (all: readonly WriteStep[]) => all.map(({ text }) => /insert into (\S+)/.exec(text)?.[1]);

  it("A mixed nested insert runs one statement for each table", () => {
    const all = steps(`mutation { insert_author(objects: ${objects}) { affected_rows } }`);
    expect(targets(all)).toEqual([`"public"."author"`, `"public"."book"`]);
    expect(all[0]?.expects?.rows).toBe(3);
    const [, children] = all;
    // The keys of the second row.
    expect(bind(children?.slots ?? [], { variables: {}, session, results: [["3", "{11,12,13}"]] })[2]).toBe(
      `{"12","12"}`,
    );
  });

  it("A mixed nested insert with on_conflict runs separate statements and requires only the rows with nested ones", () => {
    const conflict = `on_conflict: {constraint: author_pkey, update_columns: []}`;
    const all = steps(`mutation { insert_author(objects: ${objects}, ${conflict}) { affected_rows } }`);
    expect(targets(all)).toEqual([`"public"."author"`, `"public"."author"`, `"public"."author"`, `"public"."book"`]);
    expect(all.map(({ expects }) => expects?.rows)).toEqual([undefined, 1, undefined, undefined]);
  });
});

describe("Update statements", () => {
  it("An update applies operators and presets to rows that satisfy the row filter and the condition", () => {
    expect(
      statement(`mutation { update_book(
        where: {pages: {_gt: 3}}, _set: {title: "x"}, _inc: {pages: 1}, _append: {details: {a: 1}}
      ) { affected_rows } }`),
    ).toEqual({
      text:
        `with t2 as (update "public"."book" as t1 set "details" = t1."details" || $1::jsonb, ` +
        `"pages" = t1."pages" + $2::int4, "title" = $3::text, "changed" = 't'::bool ` +
        `where (${settingUser(4)}) and ((t1."branch_id" = $5::int4) and (t1."pages" > $6::int4)) ` +
        `returning (t1."pages" < 5000) is true as "ok") ` +
        `select count(*)::text, case when not bool_and(t2."ok") ` +
        "then ('engine: check of a permission has failed (' || count(*) || ' rows)')::int4 end from t2",
      values: [`{"a":1}`, "1", "x", user, "7", "3"],
    });
  });

  it("Several updates run in order", () => {
    const { writes } = plan(`mutation { update_book_many(updates: [
      {where: {id: {_eq: 1}}, _set: {pages: 1}}, {where: {id: {_eq: 2}}, _set: {pages: 2}}
    ]) { affected_rows } }`);
    expect(writes.map(({ steps }) => steps.length)).toEqual([2]);
  });

  it("An update without changes still sets its presets", () => {
    expect(statement("mutation { update_book(where: {}, _set: {}) { affected_rows } }").text).toContain(
      `set "changed" = 't'::bool where`,
    );
  });
});

describe("Delete statements", () => {
  it("A delete removes the rows that match the permission and the condition", () => {
    expect(statement("mutation { delete_book_by_pk(id: 3) { id } }")).toEqual({
      text:
        `delete from "public"."book" as t1 where (${settingUser(1)}) and ((t1."pages" is null) and (t1."id" = $2::int4)) ` +
        `returning json_build_object('id', t1."id")::text`,
      values: [user, "3"],
    });
  });
});

describe("Session variables of mutations", () => {
  it("Statements of a transaction with several fields set no session variables themselves", () => {
    for (const { text } of steps(
      "mutation { a: delete_book(where: {}) { affected_rows } b: delete_book(where: {}) { affected_rows } }",
    )) {
      expect(text).not.toContain("set_config");
    }
  });

  it("A statement sets no session variables itself if triggers run before it", () => {
    const [step] = steps("mutation { update_note(where: {}, _set: {text: null}) { affected_rows } }");
    expect(step?.setsUser).toBeUndefined();
    expect(step?.text).not.toContain("set_config");
  });
});

describe("Validity of mutation SQL", () => {
  it.each([
    "mutation { insert_book(objects: []) { affected_rows returning { id } } }",
    "mutation { insert_book(objects: [{}, {pages: 1}]) { __typename affected_rows returning { id author { books { id } } } } }",
    'mutation { insert_book(objects: {details: {a: [1, null, {b: "c"}]}}) { a: returning { details } b: returning { id } } }',
    "mutation { insert_book(objects: {}, on_conflict: {constraint: book_pkey, update_columns: []}) { affected_rows } }",
    'mutation { insert_author(objects: {name: "A", books: {data: {title: "b"}, on_conflict: {constraint: book_pkey, update_columns: [title]}}}) { affected_rows } }',
    "mutation { insert_author(objects: {books: {data: []}}) { returning { books(where: {pages: {_is_null: true}}) { id } } } }",
    'mutation { insert_book_one(object: {author: {data: {name: "A", books: {data: [{title: "t"}]}}}}) { author { books { title } } } }',
    'mutation { update_book(where: {author: {name: {_eq: "A"}}}, _delete_at_path: {details: ["a", "1"]}) { returning { title author { id } } } }',
    "mutation { update_book(where: {}, _prepend: {details: []}) { affected_rows } }",
    "mutation { update_book_by_pk(pk_columns: {id: 1}, _delete_elem: {details: 0}) { id author { id } } }",
    "mutation { delete_book(where: {_not: {author: {}}}) { returning { id } affected_rows } }",
  ])("A mutation is valid SQL: %s", async (query) => {
    for (const { text } of steps(query)) await parseSql(text);
  });

  it("Mutation text never contains values of a request", () => {
    const hostile = `'; drop table book; --`;
    const object = { title: hostile, details: { [hostile]: hostile }, author: { data: { name: hostile } } };
    for (const { text } of [
      ...steps("mutation ($o: book_insert_input!) { insert_book_one(object: $o) { id } }", { o: object }),
      ...steps(`mutation { insert_book_one(object: {title: ${JSON.stringify(hostile)}}) { id } }`),
      ...steps(
        `mutation { update_book(where: {}, _delete_key: {details: ${JSON.stringify(hostile)}}) { affected_rows } }`,
      ),
    ]) {
      expect(text).not.toContain("drop table");
    }
  });
});
