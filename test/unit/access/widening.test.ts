import { describe, expect, it } from "vitest";
import { compareAccess } from "../../../compiler/access/compare.ts";
import { lazy } from "../../../runtime/values/lazy.ts";
import type { MetadataInput } from "../analyze/sample.ts";
import {
  allowing,
  article,
  articles,
  author,
  byName,
  calling,
  deleting,
  endpoint,
  endpoints,
  inherited,
  inserting,
  limiting,
  merging,
  ofAuthor,
  reading,
  remoteDocument,
  select,
  sending,
  updating,
  webhook,
} from "./metadata.ts";
import { access, lines, mirrored } from "./sample.ts";

const articlesOfAuthor = {
  array_relationships: [
    { name: "articles", using: { foreign_key_constraint_on: { table: article, column: "author_id" } } },
  ],
};

/** Returns metadata of authors and articles. @param columns columns of the insert permission on articles */
const relating = (relationships: object, columns: readonly string[]): MetadataInput => ({
  tables: [
    {
      table: article,
      select_permissions: [select({})],
      insert_permissions: [{ role: "user", permission: { check: {}, columns } }],
      update_permissions: [{ role: "user", permission: { filter: {}, columns: ["title"] } }],
    },
    {
      table: author,
      ...relationships,
      select_permissions: [select({})],
      update_permissions: [{ role: "user", permission: { filter: {}, columns: ["name"] } }],
    },
  ],
});

const remoteSdl = `
  type Query { at(place: Place! @preset(value: { name: "Rome" }), unit: Unit = C): Sky }
  type Sun { rise: String }
  union Sky = Sun
  enum Unit { C F }
  input Place { name: String }`;
const widerSdl = `
  type Query { at(place: Place!, unit: Unit = F, days: Int): Sky }
  type Sun { rise: String set: String }
  type Rain { mm: Int }
  union Sky = Sun | Rain
  enum Unit { C F K }
  input Place { name: String zip: String }`;

/** Changes that widen access, with the metadata before and after. */
const widening: readonly (readonly [string, MetadataInput, MetadataInput, readonly string[]])[] = [
  [
    "a role",
    articles({}),
    reading({}),
    ["user role added = widens", "user default.public.article: select permission added = widens"],
  ],
  [
    "a permission",
    articles({ select_permissions: [select({})] }),
    articles({ select_permissions: [select({})], delete_permissions: [{ role: "user", permission: { filter: {} } }] }),
    ["user default.public.article: delete permission added = widens"],
  ],
  [
    "columns to read",
    reading({}),
    reading({ columns: ["id", "title"] }),
    ["user default.public.article: select column title added = widens"],
  ],
  [
    "a removed row filter",
    reading({ filter: ofAuthor }),
    reading({}),
    ["user default.public.article: select rows changed = widens"],
  ],
  [
    "a new alternative in a row filter",
    reading({ filter: ofAuthor }),
    reading({ filter: { _or: [ofAuthor, { title: { _is_null: true } }] } }),
    ["user default.public.article: select rows changed = widens"],
  ],
  [
    "a removed condition in a row filter",
    reading({ filter: { title: { _is_null: false }, ...ofAuthor } }),
    reading({ filter: ofAuthor }),
    ["user default.public.article: select rows changed = widens"],
  ],
  [
    "rows where there were none",
    reading({ filter: { _or: [] } }),
    reading({ filter: ofAuthor }),
    ["user default.public.article: select rows changed = widens"],
  ],
  [
    "a different row filter",
    reading({ filter: { id: { _lt: 5 } } }),
    reading({ filter: { id: { _lt: 7 } } }),
    ["user default.public.article: select rows changed = may widen"],
  ],
  [
    "a different negated condition",
    reading({ filter: { _not: { id: { _eq: 5 } } } }),
    reading({ filter: { _not: { _and: [{ id: { _eq: 5 } }, { title: { _eq: "a" } }] } } }),
    ["user default.public.article: select rows changed = may widen"],
  ],
  [
    "a removed limit",
    reading({ limit: 10 }),
    reading({}),
    ["user default.public.article: select limit removed = widens"],
  ],
  [
    "a higher limit",
    reading({ limit: 10 }),
    reading({ limit: 11 }),
    ["user default.public.article: select limit changed = widens"],
  ],
  [
    "aggregates",
    reading({}),
    reading({ allow_aggregations: true }),
    ["user default.public.article: aggregates added = widens"],
  ],
  [
    "columns to insert",
    inserting({}),
    inserting({ columns: ["id", "title"] }),
    ["user default.public.article: insert column title added = widens"],
  ],
  [
    "a removed preset of a settable column",
    inserting({ columns: ["id", "author_id"], set: { author_id: "X-Engine-User-Id" } }),
    inserting({ columns: ["id", "author_id"] }),
    [
      "user default.public.article: insert column author_id added = widens",
      "user default.public.article: insert preset author_id removed = widens",
    ],
  ],
  [
    "a removed preset of a column with a default",
    inserting({ set: { author_id: 1 } }),
    inserting({}),
    ["user default.public.article: insert preset author_id removed = may widen"],
  ],
  [
    "another preset",
    updating({ set: { author_id: "X-Engine-User-Id" } }),
    updating({ set: { author_id: "X-Engine-Team-Id" } }),
    ["user default.public.article: update preset author_id changed = may widen"],
  ],
  [
    "a removed check",
    inserting({ check: ofAuthor }),
    inserting({ check: {} }),
    ["user default.public.article: insert check changed = widens"],
  ],
  [
    "another check",
    updating({ check: ofAuthor }),
    updating({ check: { editor_id: { _eq: "X-Engine-User-Id" } } }),
    ["user default.public.article: update check changed = may widen"],
  ],
  [
    "upserts beyond the check of inserts",
    updating({ check: null }, { insert_permissions: [{ role: "user", permission: { check: ofAuthor } }] }),
    updating({ check: {} }, { insert_permissions: [{ role: "user", permission: { check: ofAuthor } }] }),
    ["user default.public.article: update check changed = widens"],
  ],
  [
    "a check of updates in place of that of inserts",
    updating({ check: null }, { insert_permissions: [{ role: "user", permission: { check: ofAuthor } }] }),
    updating(
      { check: { id: { _gt: 0 } } },
      { insert_permissions: [{ role: "user", permission: { check: ofAuthor } }] },
    ),
    ["user default.public.article: update check changed = may widen"],
  ],
  [
    "rows to change",
    updating({ filter: ofAuthor }),
    updating({}),
    ["user default.public.article: update rows changed = widens"],
  ],
  [
    "rows to delete",
    deleting({ filter: ofAuthor }),
    deleting({}),
    ["user default.public.article: delete rows changed = widens"],
  ],
  [
    "a permission that is no longer backend-only",
    deleting({ backend_only: true }),
    deleting({}),
    ["user default.public.article: restriction of delete to backends removed = widens"],
  ],
  [
    "removed input validation",
    inserting(webhook("http://checks/")),
    inserting({}),
    ["user default.public.article: insert validation removed = widens"],
  ],
  [
    "different input validation",
    inserting(webhook("http://checks/")),
    inserting(webhook("http://elsewhere/")),
    ["user default.public.article: insert validation changed = may widen"],
  ],
  [
    "a relationship",
    {
      tables: [
        { table: article, select_permissions: [select({})] },
        { table: author, select_permissions: [select({})] },
      ],
    },
    {
      tables: [
        {
          table: article,
          object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }],
          select_permissions: [select({})],
        },
        { table: author, select_permissions: [select({})] },
      ],
    },
    ["user default.public.article: relationship author added = widens"],
  ],
  [
    "nested inserts",
    {
      tables: [
        { table: article, insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"] } }] },
        { table: author, insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"] } }] },
      ],
    },
    {
      tables: [
        {
          table: article,
          object_relationships: [{ name: "author", using: { foreign_key_constraint_on: "author_id" } }],
          insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"] } }],
        },
        { table: author, insert_permissions: [{ role: "user", permission: { check: {}, columns: ["id"] } }] },
      ],
    },
    ["user default.public.article: nested insert author added = widens"],
  ],
  [
    "inserts of rows with the key of an updated row",
    relating({}, ["id"]),
    relating(articlesOfAuthor, ["id"]),
    [
      "user default.public.author: relationship articles added = widens",
      "user default.public.author: update with related rows articles.insert added = widens",
      "user default.public.author: update with related rows articles.update added = none",
    ],
  ],
  [
    "an action",
    calling([{ role: "user" }], []),
    calling([{ role: "user" }, { role: "other" }], []),
    ["other role added = widens", "other actions: action remind added = widens"],
  ],
  [
    "a remote schema",
    calling([{ role: "user" }], []),
    calling([{ role: "user" }], [remoteDocument("type Query { today: String }")]),
    ["user remote schemas: remote schema weather added = widens"],
  ],
  [
    "another document of a remote schema",
    calling([], [remoteDocument("type Query { today: String }")]),
    calling([], [remoteDocument("type Query { today: String tomorrow: String }")]),
    ["user remote schema weather: field Query.tomorrow added = widens"],
  ],
  [
    "a whole remote schema in place of a document",
    calling([], [remoteDocument(remoteSdl)]),
    calling([], [remoteDocument(widerSdl)]),
    [
      "user remote schema weather: argument Place.zip added = widens",
      "user remote schema weather: argument Query.at(days) added = widens",
      "user remote schema weather: argument Query.at(place) changed = widens",
      "user remote schema weather: argument Query.at(unit) changed = may widen",
      "user remote schema weather: field Rain.mm added = widens",
      "user remote schema weather: field Sun.set added = widens",
      "user remote schema weather: member Sky | Rain added = widens",
      "user remote schema weather: type Rain added = widens",
      "user remote schema weather: value Unit.K added = widens",
    ],
  ],
  [
    "an operation on the allow-list",
    allowing(null, ["by_name", byName]),
    allowing({ global: true }, ["by_name", byName]),
    ["all desk.by_name: allowed for every role added = widens"],
  ],
  [
    "an operation in a collection of the allow-list",
    allowing({ global: true }),
    allowing({ global: true }, ["by_name", byName]),
    ["all desk.by_name: text added = none", "all desk.by_name: allowed for every role added = widens"],
  ],
  [
    "a role on the allow-list",
    allowing({ global: false, roles: ["user"] }, ["by_name", byName]),
    allowing({ global: false, roles: ["user", "other"] }, ["by_name", byName]),
    ["all desk.by_name: allowed for other added = widens"],
  ],
  [
    "every role in place of one",
    allowing({ global: false, roles: ["user"] }, ["by_name", byName]),
    allowing({ global: true }, ["by_name", byName]),
    ["all desk.by_name: allowed for every role added = widens", "all desk.by_name: allowed for user removed = none"],
  ],
  [
    "another text of an allow-listed operation",
    allowing({ global: true }, ["by_name", byName]),
    allowing({ global: true }, ["by_name", "{ article { id title } }"]),
    ["all desk.by_name: text changed = may widen"],
  ],
  ["an endpoint", endpoints(), endpoints(endpoint()), ["all by name: endpoint added = widens"]],
  [
    "a method of an endpoint",
    endpoints(endpoint()),
    endpoints(endpoint({ methods: ["GET", "POST"] })),
    ["all by name: endpoint changed = widens"],
  ],
  [
    "another operation behind an endpoint",
    endpoints(endpoint()),
    endpoints(endpoint({ definition: { query: { collection_name: "desk", query_name: "all" } } })),
    ["all by name: endpoint changed = may widen"],
  ],
  [
    "removed API limits",
    limiting({ depth_limit: { global: 5 }, rate_limit: { global: { max_reqs_per_min: 5 } } }),
    limiting({ rate_limit: { global: { max_reqs_per_min: 5 } } }),
    ["user limit depth_limit removed = widens"],
  ],
  [
    "disabled API limits",
    limiting({ depth_limit: { global: 5 } }),
    limiting({ depth_limit: { global: 5 }, disabled: true }),
    ["user limit depth_limit removed = widens"],
  ],
  [
    "a higher API limit for one role",
    limiting({ node_limit: { global: 5 } }),
    limiting({ node_limit: { global: 5, per_role: { user: 6 } } }),
    ["user limit node_limit changed = widens"],
  ],
  [
    "a higher rate",
    limiting({ rate_limit: { global: { max_reqs_per_min: 5, unique_params: "IP" } } }),
    limiting({ rate_limit: { global: { max_reqs_per_min: 6, unique_params: "IP" } } }),
    ["user limit rate_limit changed = widens"],
  ],
  [
    "a rate limit for differently identified clients",
    limiting({ rate_limit: { global: { max_reqs_per_min: 5 } } }),
    limiting({ rate_limit: { global: { max_reqs_per_min: 5, unique_params: "IP" } } }),
    ["user limit rate_limit changed = may widen"],
  ],
  [
    "introspection",
    articles({ select_permissions: [select({})] }, { graphql_schema_introspection: { disabled_for_roles: ["user"] } }),
    articles({ select_permissions: [select({})] }),
    ["user introspection added = widens"],
  ],
  [
    "a parent of an inherited role",
    inherited(["one"], {}, { columns: ["id", "title"] }),
    inherited(["one", "two"], {}, { columns: ["id", "title"] }),
    ["both parent role two added = widens", "both default.public.article: select column title added = widens"],
  ],
  [
    "cells of an inherited role, whose rows stay the same",
    inherited(["one", "two"], {}, { columns: ["id", "title"], filter: ofAuthor }),
    inherited(["one", "two"], {}, { columns: ["id", "title"], filter: {} }),
    [
      "both default.public.article: rows that show column title changed = widens",
      "two default.public.article: select rows changed = widens",
    ],
  ],
  [
    "merged permissions of the parents of an inherited role",
    merging(["one", "two"], { filter: ofAuthor }, { columns: ["id"] }, false),
    merging(["one", "two"], { filter: ofAuthor }, { columns: ["id"] }, true),
    ["both default.public.article: update permission added = widens"],
  ],
  [
    "another parent whose permission is merged",
    merging(["one"], { filter: ofAuthor }, { columns: ["id"], filter: { id: { _lt: 9 } } }),
    merging(["one", "two"], { filter: ofAuthor }, { columns: ["id"], filter: { id: { _lt: 9 } } }),
    [
      "both parent role two added = widens",
      "both default.public.article: update column id added = widens",
      "both default.public.article: update permission of parent one added = none",
      "both default.public.article: update permission of parent two added = widens",
      "both default.public.article: update rows changed = widens",
    ],
  ],
  [
    "a column of a parent whose permission is merged, which another parent lists for other rows",
    merging(["one", "two"], { columns: ["id"], filter: ofAuthor }, { columns: ["id", "title"], filter: { id: 1 } }),
    merging(
      ["one", "two"],
      { columns: ["id", "title"], filter: ofAuthor },
      { columns: ["id", "title"], filter: { id: 1 } },
    ),
    [
      "both default.public.article: update permission of parent one changed = widens",
      "one default.public.article: update column title added = widens",
    ],
  ],
  ["an event trigger", articles({}), sending({}), ["all default.t: event trigger added = widens"]],
  [
    "another address of an event trigger",
    sending({}),
    sending({ webhook: "http://other" }),
    ["all default.t: address changed = may widen"],
  ],
  [
    "more columns and operations of an event trigger",
    sending({ definition: { update: { columns: ["id"], payload: ["id"] } } }),
    sending({
      definition: { update: { columns: ["id", "title"], payload: ["id", "title"] }, insert: { columns: "*" } },
    }),
    [
      "all default.t: UPDATE delivers column title added = widens",
      "all default.t: UPDATE watches column title added = widens",
      "all default.t: operation INSERT added = widens",
    ],
  ],
  [
    "a removed condition of an event trigger",
    sending({ condition: { new: { title: { _eq: "x" } } } }),
    sending({}),
    ["all default.t: INSERT condition changed = widens"],
  ],
  [
    "a weaker condition of an event trigger",
    sending({ condition: { new: { title: { _eq: "x" }, id: { _gt: 1 } } } }),
    sending({ condition: { new: { title: { _eq: "x" } } } }),
    ["all default.t: INSERT condition changed = widens"],
  ],
  [
    "another request of an event trigger",
    sending({}),
    sending({ headers: [{ name: "a", value: "b" }], request_transform: { version: 2, url: "http://x" } }),
    ["all default.t: headers changed = may widen", "all default.t: request transform changed = may widen"],
  ],
];

describe("Changes that widen access", () => {
  describe.each(widening)("Access change: %s", (_, before, after, expected) => {
    const accesses = lazy(() => [access(before), access(after)] as const);

    it("The change is reported as widening", () => {
      const [from, to] = accesses();
      expect(lines(from, to)).toEqual(expected);
    });

    it("The reverse change is reported as the mirror image", () => {
      const [from, to] = accesses();
      expect(compareAccess(to, from)).toEqual(compareAccess(from, to).map(mirrored));
    });
  });
});

describe("Changes that do not widen access", () => {
  it.each([
    [
      "the order of columns and of conditions",
      reading({ filter: { title: { _eq: "a" }, id: { _eq: 1 } } }),
      reading({ filter: { id: { _eq: 1 }, title: { _eq: "a" } } }),
      ["user default.public.article: select rows changed = none"],
    ],
    [
      "the same filter in another notation",
      reading({ filter: ofAuthor }),
      reading({ filter: { _and: [ofAuthor] } }),
      [],
    ],
    ["a comment", reading({}), articles({ select_permissions: [{ ...select({}), comment: "why" }] }), []],
    [
      "a query that no role may run",
      allowing(null, ["by_name", byName]),
      allowing(null, ["by_name", "{ article { id title } }"]),
      ["all desk.by_name: text changed = none"],
    ],
  ] as const)("A change is reported as not widening: %s", (_, before, after, expected) => {
    expect(lines(access(before), access(after))).toEqual(expected);
  });

  it("Changes of admin access have no effect, because admins need no permission", () => {
    const changes = compareAccess(access({ tables: [] }), access(articles({})));
    expect(changes.length).toBeGreaterThan(0);
    expect(new Set(changes.map(({ role, effect }) => `${role} ${effect}`))).toEqual(new Set(["admin none"]));
  });
});
