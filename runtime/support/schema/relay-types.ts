/** What the Relay schema has besides: nodes with global ids, connections, their edges and pages (`graphql-api.md` 5.11). */
import { cursorStructure } from "../relay/cursor.ts";
import { nodeIdStructure } from "../relay/node-id.ts";
import type { NodeRoot } from "../roots.ts";
import type { TableView } from "../view.ts";
import { lazy, sortedMap } from "./lazy.ts";
import { queryArgument } from "./query-argument.ts";
import type { RelayTables, TypeRegistry } from "./registry.ts";
import {
  type AbstractTypeDef,
  type InputField,
  noArguments,
  type ObjectTypeDef,
  type OutputField,
  type OutputMeta,
  type ScalarTypeDef,
} from "./types.ts";

type Named = readonly [string, OutputField];

/** How a row's own type is made. */
export type ObjectTypeOf = (types: TypeRegistry, view: TableView) => ObjectTypeDef;

/** Whether rows of a table have global ids and connections: they need a key. */
export function isNode({ readable, table }: TableView): boolean {
  return readable && table.source.dialect.relay !== undefined && table.primaryKey.length > 0;
}

const required = { list: false, required: true, args: noArguments } as const;

const idType: ScalarTypeDef = { kind: "scalar", name: "ID", structure: nodeIdStructure };
const cursorType: ScalarTypeDef = { kind: "scalar", name: "String", structure: cursorStructure };

/** `id: ID!` of a row; it hides a column of that name. */
export function globalIdField({ nameOf }: RelayTables, view: TableView): Named {
  return ["id", idField({ kind: "global_id", ...nameOf(view), key: view.table.primaryKey })];
}

function idField(meta: OutputMeta): OutputField {
  return { ...required, type: () => idType, description: () => "A globally unique identifier", meta };
}

/** The interface of all rows with a global id. */
export function nodeInterface(types: TypeRegistry, { nodes }: RelayTables, objectType: ObjectTypeOf): AbstractTypeDef {
  return types.get<AbstractTypeDef>("Node", () => ({
    kind: "interface",
    name: "Node",
    description: "An object with globally unique ID",
    fields: lazy(() => new Map([["id", idField({ kind: "constant", value: "" })]])),
    types: lazy(() => {
      const objects = nodes().map((view) => objectType(types, view));
      return sortedMap(objects.map((object) => [object.name, object]));
    }),
  }));
}

/** `node(id: ID!): Node` */
export function nodeField(
  types: TypeRegistry,
  relay: RelayTables,
  root: NodeRoot,
  objectType: ObjectTypeOf,
): OutputField {
  return {
    type: () => nodeInterface(types, relay, objectType),
    list: false,
    required: false,
    args: lazy(() => new Map([["id", queryArgument(() => idType, "A globally unique id", { required: true })]])),
    meta: { kind: "node", root, typeOf: (view) => objectType(types, view) },
  };
}

/** `TConnection` */
export function connectionType(types: TypeRegistry, view: TableView, objectType: ObjectTypeOf): ObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(`${table.type}Connection`);
  return types.of(view.table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `A Relay connection object on "${table.displayName}"`,
    fields: lazy(
      () =>
        new Map<string, OutputField>([
          [
            "edges",
            { ...required, list: true, type: () => edgeType(types, view, objectType), meta: { kind: "edges" } },
          ],
          ["pageInfo", { ...required, type: () => pageInfoType(types), meta: { kind: "page_info" } }],
        ]),
    ),
  }));
}

function edgeType(types: TypeRegistry, view: TableView, objectType: ObjectTypeOf): ObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(`${table.type}Edge`);
  return types.of(view.table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    fields: lazy(
      () =>
        new Map<string, OutputField>([
          ["cursor", { ...required, type: () => types.scalar("String"), meta: { kind: "cursor" } }],
          ["node", { ...required, type: () => objectType(types, view), meta: { kind: "edge_node" } }],
        ]),
    ),
  }));
}

function pageInfoType(types: TypeRegistry): ObjectTypeDef {
  const field = (name: string, type: string, meta: OutputMeta): Named => [
    name,
    { ...required, type: () => types.scalar(type), meta },
  ];
  return types.get<ObjectTypeDef>("PageInfo", () => ({
    kind: "object",
    name: "PageInfo",
    fields: lazy(
      () =>
        new Map([
          field("endCursor", "String", { kind: "end_cursor" }),
          field("hasNextPage", "Boolean", { kind: "has_next_page" }),
          field("hasPreviousPage", "Boolean", { kind: "has_previous_page" }),
          field("startCursor", "String", { kind: "start_cursor" }),
        ]),
    ),
  }));
}

/**
 * `after`, `before`, `first`, `last`, and those of a list that choose and order its rows.
 * @param list the arguments of a list of the same rows
 */
export function connectionArguments(
  types: TypeRegistry,
  list: ReadonlyMap<string, InputField>,
): ReadonlyMap<string, InputField> {
  const int = () => types.scalar("Int");
  const shared = [...list].filter(([name]) => name !== "limit" && name !== "offset");
  return sortedMap([
    ...shared,
    ["after", queryArgument(() => cursorType, undefined)],
    ["before", queryArgument(() => cursorType, undefined)],
    ["first", queryArgument(int, undefined)],
    ["last", queryArgument(int, undefined)],
  ]);
}
