/**
 * Root fields, and an example of each operator, for the reference of the GraphQL API. `test/integration/graphql-reference.test.ts`
 * compares the fields with a server, and runs the examples for PostgreSQL.
 */
import type {
  ActionRoot,
  NodeRoot,
  RemoteRoot,
  RootField,
  StreamRoot,
  WriteKind,
} from "../../runtime/model/definitions/roots.ts";

type RootKind =
  | RootField["kind"]
  | StreamRoot["kind"]
  | WriteKind
  | RemoteRoot["kind"]
  | ActionRoot["kind"]
  | NodeRoot["kind"];

export interface RootDescription {
  readonly types: string;
  /** Name for a table, function or other object called `book`. */
  readonly name: string;
  readonly arguments: readonly string[];
  readonly result: string;
}

const filters = ["distinct_on", "limit", "offset", "order_by", "top_per", "where"];
const connection = ["after", "before", "distinct_on", "first", "last", "order_by", "where"];

export const rootKinds: Readonly<Record<RootKind, RootDescription>> = {
  select_many: { types: "query, subscription", name: "book", arguments: filters, result: "rows" },
  select_by_pk: {
    types: "query, subscription",
    name: "book_by_pk",
    arguments: ["id"],
    result: "a row by its primary key, or null",
  },
  select_aggregate: {
    types: "query, subscription",
    name: "book_aggregate",
    arguments: filters,
    result: "aggregates over rows (`aggregate`), and the rows (`nodes`)",
  },
  select_group: {
    types: "query, subscription",
    name: "book_group",
    arguments: ["by", "having", "limit", "offset", "order_by", "where"],
    result: "groups of rows by keys (`key`, `aggregate`, `nodes`)",
  },
  select_stream: {
    types: "subscription",
    name: "book_stream",
    arguments: ["batch_size", "cursor", "where"],
    result: "new rows in the order of a column",
  },
  select_connection: {
    types: "Relay query, subscription",
    name: "book_connection",
    arguments: connection,
    result: "pages of rows (`edges`, `pageInfo`)",
  },
  node: { types: "Relay query, subscription", name: "node", arguments: ["id"], result: "a row by its global id" },
  insert: {
    types: "mutation",
    name: "insert_book",
    arguments: ["objects", "on_conflict"],
    result: "`affected_rows`, `changes` and `returning`",
  },
  insert_one: {
    types: "mutation",
    name: "insert_book_one",
    arguments: ["object", "on_conflict"],
    result: "the row; null if a conflict left it unchanged",
  },
  update: {
    types: "mutation",
    name: "update_book",
    arguments: ["_inc", "_related", "_set", "where"],
    result: "`affected_rows`, `changes` and `returning`",
  },
  update_by_pk: {
    types: "mutation",
    name: "update_book_by_pk",
    arguments: ["_inc", "_related", "_set", "pk_columns"],
    result: "the row, or null",
  },
  update_many: {
    types: "mutation",
    name: "update_book_many",
    arguments: ["updates"],
    result: "a list with `affected_rows` and `returning` of each update",
  },
  delete: {
    types: "mutation",
    name: "delete_book",
    arguments: ["where"],
    result: "`affected_rows`, `changes` and `returning`",
  },
  delete_by_pk: { types: "mutation", name: "delete_book_by_pk", arguments: ["id"], result: "the deleted row, or null" },
  function: {
    types: "query and subscription, or mutation",
    name: "search_books",
    arguments: ["args", ...filters],
    result: "the rows of a function",
  },
  function_aggregate: {
    types: "query, subscription",
    name: "search_books_aggregate",
    arguments: ["args", ...filters],
    result: "aggregates over the rows of a function",
  },
  function_connection: {
    types: "Relay query, subscription",
    name: "search_books_connection",
    arguments: ["args", ...connection],
    result: "pages of the rows of a function",
  },
  native_query: {
    types: "query, subscription",
    name: "books_of_year",
    arguments: ["args", ...filters],
    result: "the rows of a native query",
  },
  stored_procedure: {
    types: "query",
    name: "books_of_year",
    arguments: ["args", ...filters],
    result: "the rows of a stored procedure (SQL Server)",
  },
  remote: {
    types: "as in the remote schema",
    name: "weather",
    arguments: [],
    result: "the result of the remote field, with its own arguments",
  },
  remote_namespace: {
    types: "query, mutation, subscription",
    name: "weather_api",
    arguments: [],
    result: "all root fields of a remote schema",
  },
  action: {
    types: "query or mutation",
    name: "renew",
    arguments: [],
    result: "the result of the handler; arguments as declared",
  },
  start_action: { types: "mutation", name: "renew", arguments: [], result: "the id of an asynchronous call" },
  action_result: {
    types: "query, subscription",
    name: "renew",
    arguments: ["id"],
    result: "`output`, `errors`, `created_at` of an asynchronous call",
  },
};

/** The table of the examples. Columns of extensions are created where the extension is installed. */
export const sampleTable = {
  name: "sample",
  columns: { id: "integer primary key", word: "text", data: "jsonb", list: "integer[]" },
  extensions: {
    ltree: { place: "ltree" },
    postgis: { shape: "geometry", area: "geography" },
    postgis_raster: { image: "raster" },
    vector: { embedding: "vector(2)" },
  },
} as const;

const point = '{type: "Point", coordinates: [0, 0]}';

/** A value of `where` for each comparison operator of PostgreSQL. */
export const operatorExamples: Readonly<Record<string, string>> = {
  _eq: "{id: {_eq: 1}}",
  _neq: "{id: {_neq: 1}}",
  _gt: "{id: {_gt: 1}}",
  _gte: "{id: {_gte: 1}}",
  _lt: "{id: {_lt: 1}}",
  _lte: "{id: {_lte: 1}}",
  _in: "{id: {_in: [1, 2]}}",
  _nin: "{id: {_nin: [1, 2]}}",
  _is_null: "{word: {_is_null: true}}",
  _like: '{word: {_like: "a%"}}',
  _nlike: '{word: {_nlike: "a%"}}',
  _ilike: '{word: {_ilike: "A%"}}',
  _nilike: '{word: {_nilike: "A%"}}',
  _similar: '{word: {_similar: "(a|b)%"}}',
  _nsimilar: '{word: {_nsimilar: "(a|b)%"}}',
  _regex: '{word: {_regex: "^a"}}',
  _iregex: '{word: {_iregex: "^A"}}',
  _nregex: '{word: {_nregex: "^a"}}',
  _niregex: '{word: {_niregex: "^A"}}',
  _contains: "{data: {_contains: {size: 1}}}",
  _contained_in: "{list: {_contained_in: [1, 2, 3]}}",
  _has_key: '{data: {_has_key: "size"}}',
  _has_keys_all: '{data: {_has_keys_all: ["size", "color"]}}',
  _has_keys_any: '{data: {_has_keys_any: ["size", "color"]}}',
  _cast: '{data: {_cast: {String: {_like: "%size%"}}}}',
  _ancestor: '{place: {_ancestor: "top.left"}}',
  _cosine_distance: "{embedding: {_cosine_distance: {to: [0.1, 0.2], _lt: 0.5}}}",
  _inner_product_distance: "{embedding: {_inner_product_distance: {to: [0.1, 0.2], _lte: -0.5}}}",
  _l1_distance: "{embedding: {_l1_distance: {to: [0.1, 0.2], _lt: 0.5}}}",
  _l2_distance: "{embedding: {_l2_distance: {to: [0.1, 0.2], _gt: 0, _lt: 0.5}}}",
  _ancestor_any: '{place: {_ancestor_any: ["top.left", "top.right"]}}',
  _descendant: '{place: {_descendant: "top"}}',
  _descendant_any: '{place: {_descendant_any: ["top", "bottom"]}}',
  _matches: '{place: {_matches: "*.left"}}',
  _matches_any: '{place: {_matches_any: ["*.left", "*.right"]}}',
  _matches_fulltext: '{place: {_matches_fulltext: "left & top"}}',
  _st_3d_d_within: `{shape: {_st_3d_d_within: {distance: 5, from: ${point}}}}`,
  _st_3d_intersects: `{shape: {_st_3d_intersects: ${point}}}`,
  _st_contains: `{shape: {_st_contains: ${point}}}`,
  _st_crosses: `{shape: {_st_crosses: ${point}}}`,
  _st_d_within: `{area: {_st_d_within: {distance: 500, from: ${point}}}}`,
  _st_equals: `{shape: {_st_equals: ${point}}}`,
  _st_intersects: `{area: {_st_intersects: ${point}}}`,
  _st_overlaps: `{shape: {_st_overlaps: ${point}}}`,
  _st_touches: `{shape: {_st_touches: ${point}}}`,
  _st_within: `{shape: {_st_within: ${point}}}`,
  _st_intersects_geom_nband: `{image: {_st_intersects_geom_nband: {geommin: ${point}, nband: 1}}}`,
  _st_intersects_nband_geom: `{image: {_st_intersects_nband_geom: {nband: 1, geommin: ${point}}}}`,
  _st_intersects_rast: '{image: {_st_intersects_rast: "0100…"}}',
};

/** Arguments of `update_sample` for each update operator. */
export const updateExamples: Readonly<Record<string, string>> = {
  _set: '_set: {word: "new"}',
  _inc: "_inc: {id: 100}",
  _append: "_append: {data: {color: 1}}",
  _prepend: "_prepend: {data: {color: 1}}",
  _delete_key: '_delete_key: {data: "size"}',
  _delete_elem: "_delete_elem: {data: 0}",
  _delete_at_path: '_delete_at_path: {data: ["size"]}',
};
