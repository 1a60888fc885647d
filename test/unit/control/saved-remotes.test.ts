/** Plans of saved operations with remote fields equal the plan of a request with the same text. */
import { join } from "node:path";
import { buildSchema, introspectionFromSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import { readShapeFile } from "../../../runtime/cli/compile/shape-file.ts";
import { compileAnalysis } from "../../../runtime/control/compile-analysis.ts";
import { joinQuery } from "../../../runtime/execute/remote/join-query.ts";
import type { RoleDefinition } from "../../../runtime/model/definitions/roots.ts";
import type { Plan } from "../../../runtime/model/planner/plan.ts";
import { planQuery } from "../../../runtime/model/planner/plan.ts";
import { planMutation } from "../../../runtime/model/planner/plan-mutation.ts";
import { readOperation } from "../../../runtime/model/planner/request/document.ts";
import type { JoinedArgument } from "../../../runtime/model/planner/request/remote/join-request.ts";
import type { RemoteVariable } from "../../../runtime/model/planner/request/remote/remote-request.ts";
import { planName, type SavedPlans } from "../../../runtime/model/planner/saved-plans.ts";
import { roleSchema } from "../../../runtime/model/schema/role-schema.ts";
import { analysisOptions } from "../../support/analysis-options.ts";
import { execution, must } from "../../support/compiled.ts";
import { sharedCode } from "../../support/shared-code.ts";

const sdl = `
  scalar Moment
  enum Kind { LONG SHORT }
  input Filter { kind: Kind = SHORT since: Moment owner: ID inner: Filter text: String part: Part }
  input Part { key: ID keys: [ID!] a: Int b: String c: [Kind!] }
  interface Being { id: ID! name(upper: Boolean): String }
  type User implements Being { id: ID! name(upper: Boolean): String kind: Kind friends(first: Int, filter: Filter): [[User!]]! }
  type Robot implements Being { id: ID! name(upper: Boolean): String }
  type Query {
    being(id: ID!): Being
    user(id: ID!, filter: Filter, at: Moment, zone: String): User
    users(ids: [ID!], kinds: [Kind!] = [LONG], note: String, part: Part): [User!]!
  }
  type Mutation { rename(id: ID!, to: String!, zone: String): User }
`;
const clerkSdl = sdl
  .replace("owner: ID", 'owner: ID @preset(value: "x-engine-user-id")')
  .replaceAll("zone: String", 'zone: String @preset(value: "x-engine-zone")')
  .replace("note: String", 'note: String @preset(value: "x-engine-note", static: true)');

const toRemote = (remote_field: object, more: object = {}) => ({
  definition: { to_remote_schema: { remote_schema: "zoo", lhs_fields: ["id"], remote_field, ...more } },
});
const order = { source: "shop", table: "orders", relationship_type: "object", field_mapping: { id: "id" } };

const operations: Readonly<Record<string, string>> = {
  "types with nested joins": `query Q($upper: Boolean = true) {
    orders { one: being { __typename id ... on Z_User { name(upper: $upper) order { id } } ... on Z_Robot { order { user { kind } } } } }
  }`,
  "presets and variables": `query Q($first: Int!, $filter: Z_Filter, $at: Z_Moment) {
    orders { user(filter: $filter, at: $at) { friends(first: $first, filter: {kind: SHORT, since: $at}) { id } } }
  }`,
  defaults: `query Q($filter: Z_Filter = {kind: LONG}, $id: ID = 3, $none: Z_Moment = null) {
    orders { user(filter: $filter, at: $none) { id } }
    zoo { user(id: $id, filter: {inner: {kind: LONG}}) { id } }
  }`,
  "one call for all keys": `query Q($kinds: [Z_Kind!]) { orders { all(kinds: $kinds) { kind } place { kind } } }`,
  "skipped and included fields": `query Q($with: Boolean!) {
    orders { user @include(if: $with) { id name @skip(if: $with) } }
    zoo { being(id: 1) { ...b @include(if: $with) ... on Z_Robot { id } } }
  } fragment b on Z_Being { __typename name }`,
  "arguments that the definition gives in part": `query Q(
    $rest: Z_Filter_remote_rel_ordersfitting = {kind: SHORT, part: {a: 1}}, $part: Z_Part_remote_rel_ordersfitting,
    $parts: Z_Part_remote_rel_ordersparts
  ) {
    orders {
      fitting(filter: $rest) { id }
      other: fitting(filter: {part: $part, since: "now"}) { id }
      parts(part: $parts) { id }
    }
  }`,
  scalars: `query Q { orders { nickname __proto__: nickname } }`,
  "root fields": `query Q($ids: [ID!]!, $flag: Boolean) {
    zoo { a: users(ids: $ids) { __typename friends { name(upper: $flag) } } b: users(ids: [1], kinds: [SHORT]) { kind } }
    zoo2: zoo { being(id: "\\"") { __typename id } }
    orders { id }
  }`,
  "writes in the order of the request": `mutation M($to: String!) {
    delete_orders(where: {id: {_eq: 1}}) { returning { user { id order { id } } } }
    zoo { rename(id: 1, to: $to) { id order { id } } }
    update_orders(where: {}, _set: {id: 2}) { affected_rows }
  }`,
};

const permission = (columns: readonly string[]) => [{ role: "clerk", permission: { columns, filter: {} } }];
const metadata = {
  version: 3,
  sources: [
    {
      name: "shop",
      kind: "postgres",
      configuration: { connection_info: { database_url: "postgres://unused" } },
      tables: [
        {
          table: "orders",
          remote_relationships: [
            { name: "being", ...toRemote({ being: { arguments: { id: "$id" } } }) },
            { name: "user", ...toRemote({ user: { arguments: { id: "$id" } } }) },
            {
              name: "nickname",
              ...toRemote({
                user: {
                  arguments: { id: "$id", filter: { inner: { text: 'a "b"' } } },
                  field: { name: { arguments: {} } },
                },
              }),
            },
            {
              name: "all",
              ...toRemote(
                { users: { arguments: { ids: ["$id"] } } },
                { batch: { match: { id: "id" }, relationship_type: "array" } },
              ),
            },
            {
              name: "fitting",
              ...toRemote({ user: { arguments: { id: "$id", filter: { text: "fixed", part: { key: "$id" } } } } }),
            },
            {
              name: "parts",
              ...toRemote(
                { users: { arguments: { part: { keys: ["$id"], b: "one" } } } },
                { batch: { match: "position" } },
              ),
            },
            {
              name: "place",
              ...toRemote({ users: { arguments: { ids: ["$id"] } } }, { batch: { match: "position" } }),
            },
          ],
          select_permissions: permission(["id"]),
          delete_permissions: [{ role: "clerk", permission: { filter: {} } }],
          update_permissions: [{ role: "clerk", permission: { columns: ["id"], filter: {} } }],
        },
      ],
    },
  ],
  remote_schemas: [
    {
      name: "zoo",
      definition: {
        url: "https://zoo.example",
        batch_root_fields: true,
        customization: { root_fields_namespace: "zoo", type_names: { prefix: "Z_" } },
      },
      permissions: [{ role: "clerk", definition: { schema: clerkSdl } }],
      remote_relationships: ["User", "Robot"].map((type_name) => ({
        type_name,
        relationships: [{ name: "order", definition: { to_source: order } }],
      })),
    },
  ],
  query_collections: [
    { name: "desk", definition: { queries: Object.entries(operations).map(([name, query]) => ({ name, query })) } },
  ],
};

const planning = { stringifyNumbers: false, nullCollapse: false };

async function compiled() {
  const shapes = await readShapeFile(join(import.meta.dirname, "../../golden/compile/remote-relationships/shape.json"));
  if (shapes.kind === "one") throw new Error("the case has several sources");
  const shape = shapes.shapes.get("shop");
  if (!shape) throw new Error("the case has a shop");
  const { __schema } = introspectionFromSchema(buildSchema(sdl));
  const found = must(
    analyze({
      catalog: must(readMetadataDocument(metadata, emptyCatalog)),
      introspections: new Map([["shop", { shape }]]),
      remoteIntrospections: new Map([["zoo", readRemoteShape(JSON.parse(JSON.stringify(__schema)))]]),
      options: analysisOptions,
    }),
  );
  const result = compileAnalysis({ analysis: found, planning, code: sharedCode });
  expect(result.analysis.inconsistencies).toEqual([]);
  return result;
}

const { program, planned, loader } = await compiled();

const session = new Map([
  ["x-engine-user-id", "7"],
  ["x-engine-zone", "north"],
]);
const values: Readonly<Record<string, readonly unknown[]>> = {
  upper: [true, null, undefined, 1],
  first: [2, "x"],
  filter: [{ kind: "LONG", inner: {} }, { kind: "NO" }, { owner: 1 }, null, undefined],
  at: ["2020-01-01", { any: 1 }, null, undefined],
  id: ["4", 5, 1.5, null, undefined],
  none: ["x", undefined],
  kinds: [["LONG"], "SHORT", ["NO"], null, undefined],
  with: [true, false],
  ids: [["1", 2], "3", null],
  flag: [true, undefined, null],
  to: ["x", 1],
  rest: [{ since: 1, part: { c: "LONG" } }, { text: "no" }, { part: { key: 1 } }, { owner: 1 }, 1, null, undefined],
  part: [{ a: 2 }, { a: "no" }, { none: 1 }, null, undefined],
  parts: [{ c: ["SHORT"], a: 3 }, { c: ["NO"] }, null, undefined],
};

/** Combines all values of each variable with the first value of every other variable. */
function requestsOf(names: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const usual = Object.fromEntries(names.map((name) => [name, values[name]?.[0]]));
  const all = names.flatMap((name) => (values[name] ?? []).map((value) => ({ ...usual, [name]: value })));
  return names.length === 0 ? [{}] : all.map((each) => withoutUndefined(each));
}

const withoutUndefined = (object: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Returns the value sent for a variable, or the error. */
function sent({ name, value }: RemoteVariable, variables: Readonly<Record<string, unknown>>, of: typeof session) {
  try {
    if (value.kind === "session") return value.read(of);
    const given = variables[name] === undefined ? value.otherwise : variables[name];
    return given === undefined ? undefined : value.read(given, of);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message} ${JSON.stringify(error)}` : error;
  }
}

/** Removes functions. Their effect on values is visible in the query for the keys. */
const argument = ([name, value]: readonly [string, JoinedArgument]) => [
  name,
  JSON.parse(JSON.stringify(value)) as unknown,
];

/** Returns the query sent for keys, or the error. */
function queryOf(...request: Parameters<typeof joinQuery>): string {
  try {
    return joinQuery(...request).query;
  } catch (error) {
    return `${error} ${JSON.stringify(error)}`;
  }
}

/** Replaces the functions of a plan's variables by their results. Leaves out SQL, which is formatted in saved plans. */
function comparable(plan: Plan, variables: Readonly<Record<string, unknown>>, of: typeof session) {
  const variable = (each: RemoteVariable) => {
    const { read: _, ...value } = each.value;
    return { ...each, value, sent: sent(each, variables, of) };
  };
  return {
    parts: plan.parts,
    remotes: plan.remotes?.map((remote) => ({ ...remote, variables: remote.variables.map(variable) })),
    joins: plan.joins?.map((step) => {
      if (step.kind === "source") return { places: step.places };
      const calls = step.places.map((place) => ({ place, keys: place.request.call.batch ? ["1", "2"] : ["1"] }));
      return {
        ...step,
        places: step.places.map((place) => {
          const own = [...place.request.variables.values()].map(variable);
          const { call, ...request } = place.request;
          const path = call.path.map((field) => ({ ...field, args: field.args.map(argument) }));
          return { ...place, request: { ...request, call: { ...call, path }, variables: own } };
        }),
        query: queryOf(calls, { variables, session: of }),
      };
    }),
    sources: [...plan.statements, ...plan.writes].map(({ source }) => source),
  };
}

describe.each(["admin", "clerk"])("Saved operations of %s with remote fields", (role) => {
  it.each(Object.entries(operations))(
    "A saved plan with a remote field equals the plan of a request: %s",
    (name, query) => {
      const saved = [...program.savedOperations()].find((each) => each.name === name);
      const path = saved && planned.savedPlans(saved, role);
      if (path === undefined) throw new Error("the operation has no saved plans");
      const { plans } = loader.require(path, planned.module(path)) as { readonly plans: SavedPlans };
      const { role: definition } = loader.require(program.roleModule(role)) as { readonly role: RoleDefinition };
      const operation = readOperation(query, null);
      const make = query.startsWith("mutation") ? planMutation : planQuery;
      for (const variables of requestsOf([...operation.variables.keys()])) {
        for (const of of [session, new Map()]) {
          const { plan } = make(operation, roleSchema(definition), variables, planning);
          const ahead = plans.plans[planName(plans, variables)];
          if (!ahead) throw new Error(`there is no plan for ${JSON.stringify(variables)}`);
          expect(comparable(ahead, variables, of)).toStrictEqual(comparable(plan, variables, of));
        }
      }
    },
  );
});

it("Saved plans refer to exports of the role's modules", () => {
  const saved = [...program.savedOperations()].find(({ name }) => name === "presets and variables");
  const path = saved && planned.savedPlans(saved, "clerk");
  const { plans } = loader.require(path ?? "", planned.module(path ?? "")) as { readonly plans: SavedPlans };
  const [step] = Object.values(plans.plans)[0]?.joins ?? [];
  if (step?.kind !== "remote") throw new Error("the plan calls no remote server");
  const { remote } = loader.require("roles/clerk/remotes/zoo.ts");
  const { orders } = loader.require("roles/clerk/shop/public.orders.ts") as {
    orders: { remoteRelationships: Record<string, unknown> };
  };
  expect(step.places[0]?.request.remote).toBe(remote);
  expect(step.places[0]?.request.join).toBe(orders.remoteRelationships.user);
});

it("Saved plans with remote fields send session values and refuse a request without them", () => {
  const execute = execution.remote;
  const saved = [...program.savedOperations()].find(({ name }) => name === "defaults");
  const path = saved && planned.savedPlans(saved, "clerk");
  const { plans } = loader.require(path ?? "", planned.module(path ?? "")) as { readonly plans: SavedPlans };
  const [request] = Object.values(plans.plans)[0]?.remotes ?? [];
  if (!request) throw new Error("the plan calls no remote server");
  const bodyOf = (variables: ReadonlyMap<string, string>) =>
    JSON.parse(execute.bind(request, {}, { role: "clerk", variables } as never).body);
  expect(bodyOf(session).variables).toEqual({
    session_x_engine_user_id_ID: "7",
    session_x_engine_zone_String: "north",
  });
  expect(() => bodyOf(new Map([["x-engine-user-id", "7"]]))).toThrow('missing session variable: "x-engine-zone"');
  expect(planned.file(path ?? "").text).not.toMatch(/north|"7"/);
});
