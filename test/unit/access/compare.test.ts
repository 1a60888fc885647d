import { describe, expect, it } from "vitest";
import { compareAccess } from "../../../compiler/access/compare.ts";
import { accessKey } from "../../../compiler/access/table-access.ts";
import { argument, functionShape, library, type MetadataInput, rowType, shape } from "../analyze/sample.ts";
import { article, articles, byName, collection, ofAuthor, reading, select, updating } from "./metadata.ts";
import { access, lines } from "./sample.ts";

describe("Access to functions", () => {
  const withFunctions = shape(library.tables, [
    functionShape("search", {
      returnsSet: true,
      returns: rowType("public", "article"),
      returnsTable: article,
      arguments: [argument("word", "text"), argument("who", "json")],
    }),
    functionShape("secret", { arguments: [argument("row", rowType("public", "article")), argument("who", "json")] }),
  ]);
  const searching = (tracked: object) =>
    access(
      articles(
        { select_permissions: [select({})] },
        { functions: [{ function: { schema: "public", name: "search" }, ...tracked }] },
      ),
      { shape: withFunctions },
    );

  it("A new function widens the access of its role", () => {
    const none = access(articles({ select_permissions: [select({})] }), { shape: withFunctions });
    expect(lines(none, searching({}))).toEqual(["user default.public.search: function added = widens"]);
  });

  it("A removed session argument widens access and an added one narrows it", () => {
    const told = searching({ configuration: { session_argument: "who" } });
    expect(lines(told, searching({}))).toEqual(["user default.public.search: function changed = widens"]);
    expect(lines(searching({}), told)).toEqual(["user default.public.search: function changed = narrows"]);
  });

  it("A computed field in a permission is part of the access", () => {
    const computing = (permission: object, definition: object = { session_argument: "who" }) =>
      access(
        articles({
          computed_fields: [
            { name: "secret", definition: { function: { schema: "public", name: "secret" }, ...definition } },
          ],
          select_permissions: [select(permission)],
        }),
        { shape: withFunctions },
      );
    expect(lines(computing({}), computing({ computed_fields: ["secret"] }))).toEqual([
      "user default.public.article: computed field secret added = widens",
    ]);
    const untold = computing({ computed_fields: ["secret"] }, {});
    expect(lines(computing({ computed_fields: ["secret"] }), untold)).toEqual([
      "user default.public.article: computed field secret changed = widens",
    ]);
  });
});

describe("Access to the API", () => {
  const api = (before: MetadataInput, after: MetadataInput) =>
    compareAccess(access(before), access(after))
      .filter(({ role, area }) => role === "user" && area === "api")
      .map(({ subject, aspect, name, kind, effect }) => `${subject}: ${aspect} ${name ?? ""} ${kind} = ${effect}`);

  it("A new root field widens access, and types follow from permissions without widening", () => {
    const changes = api(reading({}), reading({ columns: ["id", "title"], allow_aggregations: true }));
    expect(changes).toContain("query_root: root field article_aggregate added = widens");
    expect(changes).toContain("article: field title added = none");
    expect(changes).toContain("article_select_column: value title added = none");
    expect(changes.filter((change) => change.endsWith("widens"))).toEqual([
      expect.stringContaining("query_root: root field article_aggregate added"),
      expect.stringContaining("query_root: root field article_group added"),
      expect.stringContaining("subscription_root: root field article_aggregate added"),
      expect.stringContaining("subscription_root: root field article_group added"),
    ]);
  });

  it("Root fields with groups do not widen the access of a role that has the aggregates", () => {
    const grouped = reading({ allow_aggregations: true });
    const renamed = articles({
      configuration: { custom_root_fields: { select_group: "grouped" } },
      select_permissions: [select({ allow_aggregations: true })],
    });
    const ofQueries = (before: MetadataInput, after: MetadataInput) =>
      api(before, after).filter((change) => change.startsWith("query_root: "));
    expect(ofQueries(grouped, renamed)).toEqual([
      "query_root: root field article_group removed = none",
      "query_root: root field grouped added = none",
    ]);
    const listing = (...query_root_fields: readonly string[]) =>
      reading({ allow_aggregations: true, query_root_fields });
    expect(ofQueries(listing("select_aggregate", "select"), listing("select"))).toEqual([
      "query_root: root field article_aggregate removed = narrows",
      "query_root: root field article_group removed = narrows",
    ]);
    const taken = articles(
      { select_permissions: [select({ allow_aggregations: true })] },
      {
        actions: [{ name: "article_group", definition: { type: "query", handler: "http://x", output_type: "String" } }],
      },
    );
    expect(ofQueries(taken, grouped)).toEqual(["query_root: root field article_group added = none"]);
  });

  it("New arguments of a root field are reported", () => {
    const native = (args: object) => ({
      tables: [],
      logical_models: [
        {
          name: "word",
          fields: [{ name: "text", type: { scalar: "text" } }],
          select_permissions: [select({ columns: ["text"] })],
        },
      ],
      native_queries: [
        {
          root_field_name: "words",
          code: "like" in args ? "select {{like}} as text" : "select 'a' as text",
          returns: "word",
          arguments: args,
        },
      ],
    });
    const of = (args: object): MetadataInput => {
      const { tables, ...inSource } = native(args);
      return {
        sources: [
          {
            name: "default",
            kind: "postgres",
            tables,
            configuration: { connection_info: { database_url: "postgres://x" } },
            ...inSource,
          },
        ],
      };
    };
    expect(api(of({}), of({ like: { type: "text" } }))).toContain("query_root: argument words(args) added = none");
  });

  it("Backend-only root fields are reported separately", () => {
    const backend = updating(
      { backend_only: true },
      { insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"] } }] },
    );
    const changes = api(
      backend,
      updating({}, { insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"] } }] }),
    );
    expect(changes).toContain("mutation_root: root field update_article added = widens");
    expect(changes.filter((change) => change.includes("for backends") && change.endsWith("widens"))).toEqual([]);
  });

  it("Root fields of the Relay API are reported", () => {
    const changes = api(
      articles({ delete_permissions: [{ role: "user", permission: { filter: {} } }] }),
      articles({
        delete_permissions: [{ role: "user", permission: { filter: {} } }],
        select_permissions: [select({})],
      }),
    );
    expect(changes).toContain("query_root of the Relay API: root field article_connection added = widens");
  });
});

it("Saved operations are reported with their SQL and the origin of its values", () => {
  const saved = (limit: object) =>
    access(
      articles(
        { select_permissions: [select({ columns: ["id", "title"], ...limit })] },
        collection(["by_name", byName]),
      ),
    );
  const changes = compareAccess(saved({}), saved({ filter: ofAuthor })).filter(({ aspect }) => aspect === "SQL");
  expect(changes).toHaveLength(1);
  expect(changes[0]).toMatchObject({ role: "user", subject: "desk.by_name", kind: "changed", effect: "none" });
  expect(changes[0]?.after).toContain("session variable x-engine-user-id");
  expect(changes[0]?.after).toContain("$title");
});

it("Changes of metadata and databases without effect on access are reported", () => {
  const other = shape([...library.tables, ...shape([]).tables]);
  const changes = compareAccess(
    access(articles({}), { shape: other }),
    access(articles({}, { network: { tls_allowlist: [{ host: "example.org" }] } }), {
      shape: { ...other, tables: other.tables.map((table) => ({ ...table, comment: "changed" })) },
    }),
  );
  expect(changes.filter(({ area }) => area === "other").map(({ aspect, name, kind }) => [aspect, name, kind])).toEqual([
    ["metadata", "network", "added"],
    ["shape", "default", "changed"],
  ]);
});

it("Access keys distinguish similar names", () => {
  const key = accessKey("a", { schema: "b.c", name: "d" });
  expect(key).not.toBe(accessKey("a.b", { schema: "c", name: "d" }));
  expect(key).not.toBe(accessKey("a", { schema: "b\\", name: "c.d" }));
});
