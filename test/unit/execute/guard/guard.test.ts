import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ApiLimits } from "../../../../runtime/execute/guard/api-limits.ts";
import { AllowList, Guard, type GuardRules } from "../../../../runtime/execute/guard/guard.ts";
import { RateLimiter } from "../../../../runtime/execute/guard/rate-limiter.ts";
import { readOperation } from "../../../../runtime/model/planner/request/document.ts";

const guard = (rules: Partial<GuardRules>): Guard =>
  new Guard({ allowList: null, limits: {}, defaults: null, introspectionDisabledFor: [], ...rules });
const checked =
  (rules: Partial<GuardRules>, query: string, role = "user", name: string | null = null) =>
  () =>
    guard(rules).checkOperation(role, readOperation(query, name));

describe("The allow-list", () => {
  const saved = "query Q($a: Int = 1) { a(x: $a) { b ...F } } fragment F on T { c }";
  const rules = {
    allowList: new AllowList([
      { name: "c", roles: null, queries: [saved, "{ a { b __typename ... on T { c } } }", "not a document {"] },
      { name: "d", roles: ["editor"], queries: ["{ edited { b } }"] },
    ]),
  };

  it.each([
    ["the same text", saved],
    ["other blanks and comments", `${saved.replaceAll(" ", "\n  ")} # it is the same`],
    [
      "more __typename in fields and named fragments",
      "query Q($a: Int = 1) { __typename a(x: $a) { __typename b ...F } } fragment F on T { __typename c }",
    ],
    ["more __typename in an inline fragment", "{ a { b __typename ... on T { __typename c __typename } } }"],
    ["less __typename than the list has", "{ a { b ... on T { c } } }"],
  ])("The allow-list allows %s", (_, query) => {
    expect(checked(rules, query)).not.toThrow();
  });

  it.each([
    ["another order of fields", "{ a { ... on T { c } b } }"],
    ["a __typename with an alias", "{ a { b ... on T { c t: __typename } } }"],
    ["a __typename with a directive", "{ a { b ... on T { c __typename @skip(if: true) } } }"],
    ["a __typename with an argument", "{ a { b ... on T { c __typename(x: 1) } } }"],
    ["a field that is called __typename", "{ a { b __typename: c ... on T { c } } }"],
    ["an inline fragment of __typename alone", "{ a { b ... on T { c } ... { __typename } } }"],
    ["an inline fragment of another type", "{ a { b ... on U { c } } }"],
    ["a directive on an inline fragment", "{ a { b ... on T @skip(if: true) { c } } }"],
    ["a fragment that nothing uses", `${saved} fragment G on T { __typename }`],
    ["a fragment of another type", saved.replace("fragment F on T", "fragment F on U")],
    ["another name of the operation", saved.replace("query Q", "query R")],
    ["another default value", saved.replace("= 1", "= 2")],
    ["an alias", saved.replace("{ b ", "{ x: b ")],
    ["a directive", "{ a { b @skip(if: true) ... on T { c } } }"],
    ["more operations, of which one is saved", `${saved} query R { a }`],
    ["an operation of another role", "{ edited { b } }"],
    ["introspection", "{ __schema { types { name } } }"],
  ])("The allow-list refuses %s", (_, query) => {
    const refused = checked(rules, query, "user", query.includes("query R {") ? "Q" : null);
    expect(refused).toThrow("query is not allowed");
  });

  it("The allow-list allows __typename in every selection of a saved operation, and no other field", () => {
    const selection = fc.letrec<{ all: string }>((tie) => ({
      all: fc
        .array(
          fc.oneof(
            { depthSize: "small" },
            fc.constantFrom("b", "x: b", "b(y: 1)", "...F"),
            fc.tuple(fc.constantFrom("a", "... on T", "..."), tie("all")).map((parts) => parts.join(" ")),
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((fields) => `{ ${fields.join(" ")} }`),
    })).all;
    fc.assert(
      fc.property(selection, selection, fc.infiniteStream(fc.boolean()), (query, fragment, chosen) => {
        const document = `query ${query} fragment F on T ${fragment.replaceAll("...F", "c")}`;
        const only = { allowList: new AllowList([{ name: "c", roles: null, queries: [document] }]) };
        const added = (field: string) =>
          document.replace(/[{}]/g, (brace) => {
            if (!chosen.next().value) return brace;
            return brace === "{" ? `{ ${field}` : `${field} }`;
          });
        expect(checked(only, added("__typename"))).not.toThrow();
        const other = added("secret");
        if (other !== document) expect(checked(only, other)).toThrow("query is not allowed");
      }),
    );
  });

  it("A collection of the allow-list with roles counts only for these roles, and admins may run any operation", () => {
    expect(checked(rules, "{ edited { b } }", "editor")).not.toThrow();
    expect(checked(rules, "{ anything }", "admin")).not.toThrow();
  });
});

describe("Depth and node limits", () => {
  const limits: ApiLimits = { depth_limit: { global: 1 }, node_limit: { global: 3, per_role: { deep: 9 } } };

  it.each([
    ["{ a }", 0],
    ["{ a { b } }", 0],
    ["{ a { b { c } } }", 2],
    ["{ ... on Q { a { ...F } } } fragment F on T { b { c } }", 2],
    ["{ __schema { types { fields { name } } } }", 0],
  ])("The depth limit measures the depth of %s", (query, exceeding) => {
    const run = checked({ limits }, query);
    if (exceeding === 0) expect(run).not.toThrow();
    else expect(run).toThrow(`depth of ${exceeding} exceeds the limit of 1`);
  });

  it("The node limit counts fields with selection sets, once for each spread of their fragment", () => {
    const query = "{ a { x } b { x } ...F ...F } fragment F on Q { c { x } }";
    expect(checked({ limits }, query)).toThrow("node of 4 exceeds the limit of 3");
    expect(checked({ limits }, query, "deep")).not.toThrow();
  });

  it("The node limit counts the fields of fragments that multiply", () => {
    const spreads = Array.from({ length: 10 }, (_, i) => `fragment F${i} on T { ...F${i + 1} ...F${i + 1} }`);
    const query = `{ ...F0 } ${spreads.join(" ")} fragment F10 on T { a { b } }`;
    expect(checked({ limits }, query)).toThrow(`node of ${2 ** 10} exceeds the limit of 3`);
  });

  it("Depth and node limits exempt admins and are off if disabled", () => {
    expect(checked({ limits }, "{ a { b { c { d } } } }", "admin")).not.toThrow();
    expect(checked({ limits: { ...limits, disabled: true } }, "{ a { b { c } } }")).not.toThrow();
  });

  it("The depth limit applies to a role whose name is a member of Object.prototype", () => {
    expect(checked({ limits: { depth_limit: { global: 0, per_role: {} } } }, "{ a { b } }", "toString")).toThrow(
      "depth of 1 exceeds the limit of 0",
    );
  });
});

describe("Disabled introspection", () => {
  const rules = { introspectionDisabledFor: ["user", "admin"] };

  it.each([
    ["{ __schema { types { name } } }", "user"],
    ['{ __type(name: "T") { name } }', "admin"],
    ["{ ...F } fragment F on query_root { ... on query_root { s: __schema { types { name } } } }", "user"],
  ])("Introspection is refused if it is disabled: %s as %s", (query, role) => {
    expect(checked(rules, query, role)).toThrow(`introspection is disabled for role: "${role}"`);
  });

  it("Disabled introspection still allows __typename, and does not affect other roles", () => {
    expect(checked(rules, "{ __typename a { __typename } }")).not.toThrow();
    expect(checked(rules, "{ __schema { types { name } } }", "other")).not.toThrow();
  });
});

describe("Rate and batch limits", () => {
  const session = (role: string, user = "1") => ({
    role,
    variables: new Map([["x-engine-user-id", user]]),
    backendOnly: false,
  });

  it("A rate limit counts the operations of a sliding minute per role and unique parameter", () => {
    let now = 0;
    const rates = new RateLimiter(() => now);
    const limited = guard({
      limits: { rate_limit: { global: { max_reqs_per_min: 2, unique_params: ["X-Engine-User-Id"] } } },
    });
    const admit = (role: string, user?: string, operations = 1) => {
      limited.admit(session(role, user), operations, { peer: "::1" }, rates);
    };
    admit("a");
    now = 30_000;
    admit("a");
    expect(() => admit("a")).toThrow("rate limit of 2 requests per minute exceeded");
    admit("a", "2");
    admit("b");
    expect(() => admit("b", "1", 2)).toThrow("rate limit");
    now = 60_001;
    admit("a");
    expect(() => admit("a")).toThrow("rate limit");
    admit("admin");
    admit("admin");
    admit("admin");
  });

  it("A rate limit distinguishes clients by an aliased session variable", () => {
    const rates = new RateLimiter(() => 0);
    const rate_limit = { global: { max_reqs_per_min: 1, unique_params: ["X-Hasura-User-Id"] } };
    const aliased = guard({ limits: { rate_limit }, alias: "x-hasura-" });
    aliased.admit(session("a", "1"), 1, { peer: "" }, rates);
    aliased.admit(session("a", "2"), 1, { peer: "" }, rates);
    expect(() => aliased.admit(session("a", "1"), 1, { peer: "" }, rates)).toThrow("rate limit");
    const without = guard({ limits: { rate_limit } });
    without.admit(session("b", "1"), 1, { peer: "" }, rates);
    expect(() => without.admit(session("b", "2"), 1, { peer: "" }, rates)).toThrow("rate limit");
  });

  it("A rate limit distinguishes clients by IP address", () => {
    const rates = new RateLimiter(() => 0);
    const limited = guard({ limits: { rate_limit: { global: { max_reqs_per_min: 1, unique_params: "IP" } } } });
    limited.admit(session("a"), 1, { peer: "10.0.0.1" }, rates);
    limited.admit(session("a"), 1, { peer: "10.0.0.2" }, rates);
    expect(() => limited.admit(session("a", "2"), 1, { peer: "10.0.0.1" }, rates)).toThrow("rate limit");
  });

  it("A shared rate limiter decides whether an operation is within the limit", async () => {
    const limited = guard({ limits: { rate_limit: { global: { max_reqs_per_min: 1 } } } });
    const counted = (isWithin: boolean) => ({ take: async () => isWithin });
    expect((await limited.admit(session("a"), 1, { peer: "" }, counted(true))).session.role).toBe("a");
    await expect(limited.admit(session("a"), 1, { peer: "" }, counted(false))).rejects.toThrow("rate limit of 1");
    // Requests without a rate limit do not wait.
    expect(limited.admit(session("admin"), 1, { peer: "" }, counted(false))).not.toBeInstanceOf(Promise);
  });

  it("A batch limit bounds the operations of one request", () => {
    const limited = guard({ limits: { batch_limit: { global: 2, per_role: { big: 3 } } } });
    const rates = new RateLimiter();
    expect(() => limited.admit(session("a"), 3, { peer: "" }, rates)).toThrow("batch of 3 exceeds the limit of 2");
    expect(() => limited.admit(session("big"), 3, { peer: "" }, rates)).not.toThrow();
  });
});
