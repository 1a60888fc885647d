/**
 * Plans that survive a metadata change are equivalent to new ones: after any sequence of changes, a long-running server
 * returns the same responses to each role as a freshly started one. A stale plan would show hidden data to a role.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CodeCache } from "../../../runtime/control/load/code-cache.ts";
import { collectGarbage } from "../../support/collect-garbage.ts";
import { everything, type SentOperation } from "./kept/sent-operations.ts";
import { WorldServer } from "./kept/server.ts";
import { permissionKey, start, type World, weather } from "./kept/world.ts";

type Edit = (world: World) => World;

const setting = <Key extends keyof World>(key: Key, ...values: readonly World[Key][]): fc.Arbitrary<Edit> =>
  fc.constantFrom(...values).map((value) => (world) => ({ ...world, [key]: value }));

/** Returns a change of a permission. @param permission `undefined` for none */
const permit =
  (table: string, role: string, kind: string, permission: object | undefined): Edit =>
  (world) => {
    const key = permissionKey(table, role, kind);
    const { [key]: _, ...others } = world.permissions;
    return { ...world, permissions: permission === undefined ? others : { ...others, [key]: permission } };
  };

const filters = [{}, { id: { _gt: 3 } }, { owner: { _eq: "X-Engine-User-Id" } }, { author: { name: { _eq: "me" } } }];
const aRole = fc.constantFrom("clerk", "boss", "lone");
const aFilter = fc.constantFrom(...filters);
const columns = fc.constantFrom(["id"], ["id", "title"], ["id", "title", "owner", "mood", "pages", "author_id"]);

const selectBook = fc
  .tuple(aRole, columns, aFilter, fc.boolean(), fc.boolean())
  .map(([role, own, filter, allow_aggregations, limited]) =>
    permit("book", role, "select", { columns: own, filter, allow_aggregations, ...(limited && { limit: 5 }) }),
  );
const selectAuthor = fc
  .tuple(aRole, fc.constantFrom(["id"], ["id", "name"], ["id", "name", "owner"]), fc.boolean())
  .map(([role, own, computed]) =>
    permit("author", role, "select", { columns: own, filter: {}, ...(computed && { computed_fields: ["full"] }) }),
  );
const insertBook = fc
  .tuple(aRole, aFilter, fc.constantFrom(undefined, "http://a", "http://b"), fc.boolean(), fc.constantFrom("1", "2"))
  .map(([role, check, url, backend_only, owner]) =>
    permit("book", role, "insert", {
      columns: ["title", "mood"],
      check,
      set: { owner },
      backend_only,
      ...(url !== undefined && { validate_input: { type: "http", definition: { url } } }),
    }),
  );
const updateBook = fc
  .tuple(aRole, aFilter)
  .map(([role, filter]) => permit("book", role, "update", { columns: ["title"], filter, check: filter }));
const removal = fc
  .tuple(fc.constantFrom("book", "author", "city"), aRole, fc.constantFrom("select", "insert", "update", "delete"))
  .map(([table, role, kind]) => permit(table, role, kind, undefined));

const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: selectBook },
  { weight: 2, arbitrary: selectAuthor },
  { weight: 2, arbitrary: insertBook },
  updateBook,
  removal,
  setting("inherited", {}, { heir: ["clerk"] }, { heir: ["clerk", "boss"] }, { heir: ["lone", "boss"] }),
  setting("hidden", [], ["author"], ["book"], ["city"], ["mood"]),
  setting(
    "configurations",
    {},
    { book: { custom_root_fields: { select: "books" } } },
    { book: { column_config: { title: { custom_name: "name" } } } },
    { author: { custom_name: "writer" } },
  ),
  setting("relationships", true, false),
  setting("computedField", true, false),
  setting("nativeCode", start.nativeCode, "select id, title from book where id < {{most}}"),
  setting("customization", {}, { root_fields: { namespace: "library" } }, { type_names: { prefix: "p_" } }),
  setting("functionExposed", "query", "mutation"),
  setting("functionVolatility", "stable", "volatile"),
  setting("otherUrl", "postgres://other", "postgres://another", null),
  setting("defaultUrl", "postgres://default", "postgres://default-2"),
  setting("pages", "int4", "int8", "text"),
  setting("moods", ["calm", "wild"], ["calm"], ["odd", "calm"]),
  setting(
    "remote",
    start.remote,
    { ...start.remote, url: "http://climate" },
    { ...start.remote, clerk: weather },
    { ...start.remote, clerk: null },
    { ...start.remote, offers: "type Query { now: Int }", clerk: "type Query { now: Int }" },
  ),
  setting("limits", {}, { depth_limit: { global: 1 } }, { node_limit: { global: 9, per_role: { clerk: 1 } } }),
  setting("withoutIntrospection", [], ["clerk"], ["heir", "nobody"]),
  {
    weight: 3,
    arbitrary: setting(
      "planning",
      start.planning,
      { stringifyNumbers: true, nullCollapse: false },
      { stringifyNumbers: false, nullCollapse: true },
    ),
  },
);

async function collectUnused(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    // A WeakRef keeps its target until the turn ends.
    await nextTurn();
    collectGarbage();
  }
}

/** Shared, because the code of a module depends only on its text. */
const code = new CodeCache();

/** Checks that the server returns the same responses as a freshly started one. */
async function expectCurrent(
  server: WorldServer,
  world: World,
  requests: readonly SentOperation[] = everything,
): Promise<void> {
  const fresh = new WorldServer(code);
  fresh.serve(world);
  for (const each of requests) expect([each, await server.ask(each)]).toEqual([each, await fresh.ask(each)]);
}

/** Returns the number of operations that are planned before their first request. */
function planned(server: WorldServer, world: World, role: string): number {
  return everything.filter(({ query, variables, ...user }) => {
    if (user.role !== role || user.api === "relay" || variables !== null) return false;
    const { plans } = server.generation;
    try {
      const text = { query, operationName: null };
      return plans.plan(plans.find(server.generation.schemaOf(user), text, world.planning), {}) !== undefined;
    } catch {
      return false;
    }
  }).length;
}

async function serving(world: World = start): Promise<WorldServer> {
  const server = new WorldServer();
  server.serve(world);
  await expectCurrent(server, world);
  return server;
}

describe("Kept plans", () => {
  it("Plans survive a change of another role", async () => {
    const server = await serving();
    const before = planned(server, start, "boss");
    expect(before).toBeGreaterThan(5);
    const world = permit("book", "clerk", "select", { columns: ["id"], filter: {} })(start);
    server.serve(world);
    expect(["boss", "lone", "nobody", "admin"].map((role) => planned(server, world, role) > 0)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(planned(server, world, "boss")).toBe(before);
    expect(["clerk", "heir"].map((role) => planned(server, world, role))).toEqual([0, 0]);
    await expectCurrent(server, world);
  });

  it.each<readonly [string, Partial<World>, readonly string[]]>([
    ["the address of a database", { defaultUrl: "postgres://default-2" }, ["clerk", "boss", "heir", "lone", "admin"]],
    ["a limit", { limits: { depth_limit: { global: 1 } } }, ["clerk", "boss", "heir", "lone", "admin"]],
    ["the type of a column", { pages: "int8" }, ["lone"]],
    ["the values of an enum table", { moods: ["calm"] }, ["lone"]],
    ["the parents of an inherited role", { inherited: { heir: ["boss"] } }, ["clerk", "boss", "lone", "admin"]],
    ["the planning options", { planning: { stringifyNumbers: true, nullCollapse: true } }, []],
    ["the address of a remote schema", { remote: { ...start.remote, url: "http://climate" } }, ["boss", "lone"]],
    ["nothing", {}, ["clerk", "boss", "heir", "lone", "admin", "nobody"]],
  ])("Plans that do not depend on it survive a change of %s", async (_, change, keeping) => {
    const server = await serving();
    const world = { ...start, ...change };
    server.serve(world);
    const kept = ["clerk", "boss", "heir", "lone", "admin", "nobody"].filter(
      (role) => planned(server, world, role) > 0,
    );
    expect(kept).toEqual(expect.arrayContaining([...keeping]));
    if (change.pages ?? change.moods) expect(kept).not.toContain("clerk");
    if (change.inherited) expect(kept).not.toContain("heir");
    await expectCurrent(server, world);
  });

  it("Plans survive a change without requests if the server had time to take them over", async () => {
    const server = await serving();
    const first = permit("book", "clerk", "select", { columns: ["id"], filter: {} })(start);
    server.serve(first);
    for (const _ of server.generation.prepare());
    const second = permit("book", "clerk", "select", { columns: ["id", "title"], filter: {} })(start);
    server.serve(second);
    expect(planned(server, second, "boss")).toBeGreaterThan(5);
    await expectCurrent(server, second);
  });

  it("Plans survive a refused change", async () => {
    const server = await serving();
    const before = planned(server, start, "clerk");
    server.draft(permit("book", "clerk", "select", undefined)(start));
    expect(planned(server, start, "clerk")).toBe(before);
    await expectCurrent(server, start);
  });

  it("Plans are made again for roles that first query after a change", async () => {
    const server = new WorldServer();
    server.serve(start);
    const boss = everything.filter(({ role }) => role === "boss");
    // The first two operations load modules before the change; modules first loaded after it have the new state.
    for (const each of boss.slice(0, 2)) await server.ask(each);
    const world = permit("author", "boss", "select", { columns: ["id"], filter: { id: { _eq: 3 } } })(start);
    server.serve(world);
    await expectCurrent(server, world);
  });
}, 60_000);

describe("Earlier generations", () => {
  const clerks = everything.filter(({ role }) => role === "clerk");

  /** Returns a server after many changes, with references to each generation. */
  async function changedOften(between: (server: WorldServer) => void) {
    const server = await serving();
    const served: Readonly<Record<"generation" | "database" | "program" | "schema", WeakRef<object>>>[] = [];
    const note = (): void => {
      const { generation, program } = server;
      served.push({
        generation: new WeakRef(generation),
        database: new WeakRef(generation.sources.get("other") ?? {}),
        program: new WeakRef(program),
        schema: new WeakRef(generation.schemaOf({ role: "clerk", backendOnly: false })),
      });
    };
    note();
    for (let i = 0; i < 12; i++) {
      const filter = { id: { _gt: i } };
      const edit = permit("book", "clerk", "select", { columns: ["id"], filter });
      server.serve(edit({ ...start, otherUrl: `postgres://other-${i}` }));
      note();
      // One role, whose plans survive all changes, sends requests after each; the others send requests once.
      for (const each of clerks) await server.ask(each);
      for (const each of everything) if (each.role === "boss") await server.ask(each);
      between(server);
    }
    await collectUnused();
    const alive = (name: keyof (typeof served)[number]): number => served.filter((each) => each[name].deref()).length;
    return {
      kept: planned(server, start, "boss"),
      alive: [alive("generation"), alive("database"), alive("program"), alive("schema")],
    };
  }

  it("At most the last generation stays in memory while roles may still be carried over", async () => {
    const { kept, alive } = await changedOften(() => undefined);
    expect(kept).toBeGreaterThan(5);
    expect(alive.every((count) => count <= 2)).toBe(true);
  });

  it("No earlier generation stays in memory once all roles are carried over", async () => {
    const { kept, alive } = await changedOften((server) => {
      for (const _ of server.generation.prepare());
    });
    expect(kept).toBeGreaterThan(5);
    expect(alive).toEqual([1, 1, 1, 1]);
  });
}, 60_000);

const someRequests = fc.oneof(
  fc.constant(everything),
  fc.constantFrom("clerk", "boss", "heir", "lone").map((role) => everything.filter((each) => each.role === role)),
  fc.subarray([...everything], { maxLength: 20 }),
);

const anyStep = fc.record({
  edit: anyEdit,
  /** The operations sent before the next change. */
  requests: someRequests,
  /** True if the server has idle time for preparing plans. */
  prepares: fc.boolean(),
  /** A change that is refused. */
  refused: fc.option(anyEdit),
});

it("No chain of changes leaves an outdated plan", async () => {
  await fc.assert(
    fc.asyncProperty(someRequests, fc.array(anyStep, { minLength: 1, maxLength: 6 }), async (requests, steps) => {
      const server = new WorldServer(code);
      let world = start;
      server.serve(world);
      for (const each of requests) await server.ask(each);
      for (const { edit, requests, prepares, refused } of steps) {
        if (refused) server.draft(refused(world));
        const next = edit(world);
        if (server.serve(next)) world = next;
        if (prepares) for (const _ of server.generation.prepare());
        await expectCurrent(server, world, requests);
      }
      await expectCurrent(server, world);
    }),
    { numRuns: 30 },
  );
}, 240_000);
