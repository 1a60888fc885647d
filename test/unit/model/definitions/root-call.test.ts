/** Root fields are data for the planner, and functions for executors. */
import {
  GraphQLInt,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  graphql,
  parse,
  subscribe,
} from "graphql";
import { describe, expect, it } from "vitest";
import { engineDefault } from "../../../../runtime/model/definitions/naming.ts";
import {
  FieldResult,
  type RootCall,
  type RootFieldRunner,
  runBy,
} from "../../../../runtime/model/definitions/root-call.ts";
import {
  deleteRows,
  insertRow,
  insertRows,
  namespace,
  selectAggregate,
  selectByPk,
  selectConnection,
  selectMany,
  selectNative,
  selectNode,
  selectProcedure,
  streamRows,
  updateMany,
} from "../../../../runtime/model/definitions/roots.ts";
import { defineSource } from "../../../../runtime/model/definitions/table.ts";
import { postgres } from "../../../../runtime/model/dialects/postgres/dialect.ts";

const view = () => {
  throw new Error("nothing is looked at");
};
const source = defineSource({ name: "shelf", dialect: postgres, naming: engineDefault() });
const options = { description: "Rows." };

const roots: readonly [RootCall, Readonly<Record<string, unknown>>][] = [
  [selectMany(view), { kind: "select_many", view }],
  [selectByPk(view, options), { kind: "select_by_pk", view, description: "Rows." }],
  [selectAggregate(view), { kind: "select_aggregate", view }],
  [selectConnection(view), { kind: "select_connection", view }],
  [selectNative(view), { kind: "native_query", view }],
  [selectProcedure(view), { kind: "stored_procedure", view }],
  [selectNode({}), { kind: "node", tables: {} }],
  [streamRows(view, options), { kind: "select_stream", view, description: "Rows." }],
  [insertRow(view, { backendOnly: true }), { kind: "insert_one", view, backendOnly: true }],
  [insertRows(view), { kind: "insert", view, backendOnly: false }],
  [updateMany(view), { kind: "update_many", view, backendOnly: false }],
  [deleteRows(view), { kind: "delete", view, backendOnly: false }],
  [namespace(source, {}), { kind: "namespace", source, fields: {} }],
];

const count = selectMany(view);

const typeOf = (name: string, use: object) =>
  new GraphQLObjectType({ name, fields: { count: { type: GraphQLInt, ...use } } });

/** A schema that the engine did not create. */
const schema = new GraphQLSchema({
  query: typeOf("query_root", { resolve: count }),
  mutation: typeOf("mutation_root", { resolve: count }),
  subscription: typeOf("subscription_root", { resolve: count, subscribe: count.subscribe }),
});

function runner() {
  const seen: unknown[] = [];
  const note = (context: unknown, { operation, path }: GraphQLResolveInfo) =>
    seen.push([operation.operation, path.key, context]);
  const by: RootFieldRunner = {
    run: async (...call) => note(...call) && 42,
    async subscribe(...call) {
      note(...call);
      return (async function* () {
        yield new FieldResult(() => 1);
        yield new FieldResult(({ path }) => Promise.reject(new Error(`${path.key} has gone`)));
      })();
    },
  };
  return { by, seen };
}

describe("Custom root fields", () => {
  it.each(roots)("A root field is a definition that can be called: $kind", (root, definition) => {
    expect(root).toBeTypeOf("function");
    const { subscribe: begin, ...members } = root;
    expect(begin).toBeTypeOf("function");
    expect(members).toEqual(definition);
  });

  it("A root field runs through the session of the GraphQL context", async () => {
    const { by, seen } = runner();
    const contextValue = { session: runBy(by, { role: "reader" }), other: 1 };
    const run = (text: string) => graphql({ schema, source: text, contextValue });
    expect(await run("{ a: count count }")).toEqual({ data: { a: 42, count: 42 } });
    expect(await run("mutation { count }")).toEqual({ data: { count: 42 } });
    expect(seen).toEqual([
      ["query", "a", contextValue],
      ["query", "count", contextValue],
      ["mutation", "count", contextValue],
    ]);
  });

  it("A root field resolves the values of its subscription", async () => {
    const { by, seen } = runner();
    const contextValue = { session: runBy(by, { role: "reader" }) };
    const results = await subscribe({ schema, document: parse("subscription { now: count }"), contextValue });
    if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
    expect((await results.next()).value).toEqual({ data: { now: 1 } });
    const failed = await results.next();
    expect(JSON.stringify(failed.value)).toContain('"now has gone"');
    expect(seen).toEqual([["subscription", "now", contextValue]]);
  });

  it.each([
    ["no context", undefined],
    ["no session", {}],
    ["a session not made by an engine", { session: { role: "reader" } }],
    ["a copy of a session", { session: { ...runBy(runner().by, { role: "reader" }) } }],
    ["an invalid session", { session: "reader" }],
  ])("A root field reports the required context if it has %s", async (_, contextValue) => {
    const refusal = {
      message: expect.stringContaining("its contextValue must be { session }, made by engine.session"),
      extensions: { path: "$", code: "access-denied" },
    };
    const { errors } = await graphql({ schema, source: "{ count }", contextValue });
    expect(errors).toEqual([expect.objectContaining(refusal)]);
    const begun = await subscribe({ schema, document: parse("subscription { count }"), contextValue });
    expect(begun).toEqual({ errors: [expect.objectContaining(refusal)] });
  });

  it("A root field leaves the given session unchanged", () => {
    const session = Object.freeze({ role: "reader" });
    expect(runBy(runner().by, session)).toEqual(session);
    expect(Object.getOwnPropertySymbols(session)).toEqual([]);
  });
});
