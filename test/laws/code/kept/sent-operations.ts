/** Operations of all kinds, and the roles that send them. */
import type { SchemaApi } from "../../../../runtime/model/schema/role-schema.ts";
import { roles } from "./world.ts";

export interface SentOperation {
  readonly role: string;
  readonly backendOnly: boolean;
  readonly api: SchemaApi;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>> | null;
}

const find = "query ($where: book_bool_exp) { book(where: $where) { id author { name } } }";
const add = "mutation ($rows: [book_insert_input!]!) { insert_book(objects: $rows) { affected_rows } }";

/** Operations with their variables. */
const operations: readonly (readonly [string, ...Readonly<Record<string, unknown>>[]])[] = [
  ["{ book { id title pages } }"],
  ["{ book { id owner } }"],
  [
    find,
    {},
    { where: { title: { _eq: "a" } } },
    { where: { author: { name: { _like: "b%" } } } },
    { where: { title: { _eq: null } } },
  ],
  ["{ author { name books(order_by: {title: asc}, limit: 3) { title mood } } }"],
  ["{ author { id full } }"],
  ["query ($mood: mood_enum) { book(where: {mood: {_eq: $mood}}) { id mood } }", { mood: "calm" }, { mood: "odd" }],
  ["{ book_aggregate { aggregate { count max { pages } } } }"],
  [
    add,
    { rows: [{ title: "a" }, { title: "b" }] },
    { rows: [{ title: "a", mood: "calm" }] },
    { rows: [{ owner: "x" }] },
  ],
  ['mutation { update_book(where: {}, _set: {title: "x"}) { affected_rows } }'],
  ["mutation { delete_book(where: {id: {_gt: 1}}) { affected_rows } }"],
  ['mutation { insert_author_one(object: {name: "x"}) { name } }'],
  ['{ search_books(args: {word: "a"}) { id } }'],
  ['mutation { search_books(args: {word: "a"}) { id } }'],
  ["{ cheap(args: {most: 5}) { id } }"],
  ["{ cheap(args: {most: 5}) { title } }"],
  ["{ city { name people } }"],
  ["{ book { id } city { name } }"],
  ['{ __type(name: "book") { fields { name type { name } } } }'],
  ["{ __schema { mutationType { name } queryType { fields { name } } } }"],
  ["{ library { book { id } } }"],
  ["{ now }"],
  [`query ($place: String) { now(place: $place) book { id } }`, { place: "here" }, { place: null }],
  ["{ _service { sdl } }"],
  [`{ _entities(representations: [{__typename: "book", id: 1}]) { ... on book { id title } } }`],
  [`subscription ($where: book_bool_exp) { book(where: $where) { id title } }`, {}, { where: { id: { _eq: 1 } } }],
  ["subscription { book_stream(batch_size: 3, cursor: {initial_value: {id: 1}}) { id mood } }"],
];

const relayOperations = [
  "{ book_connection(first: 2) { edges { cursor node { id title } } pageInfo { hasNextPage } } }",
];

export const everything: readonly SentOperation[] = roles.flatMap((role) => [
  ...operations.flatMap(([query, ...given]): readonly SentOperation[] =>
    (given.length === 0 ? [null] : given).flatMap((variables) =>
      [false, true].map((backendOnly) => ({ role, backendOnly, api: "graphql", query, variables })),
    ),
  ),
  ...relayOperations.map(
    (query): SentOperation => ({ role, backendOnly: false, api: "relay", query, variables: null }),
  ),
]);
