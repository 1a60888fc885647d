/** Additional types of the Relay schema: nodes with global ids, connections, edges and pages. */
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { NodeRoot } from "../definitions/roots.ts";
import { hasHiddenKey, type TableView } from "../definitions/view.ts";
import { cursorStructure } from "../relay/cursor.ts";
import { nodeIdStructure, nodeIdUse } from "../relay/node-id.ts";
import { RelayTexts } from "../relay/relay-texts.ts";
import type { RelayTables, TypeRegistry } from "./registry.ts";
import {
  type AbstractTypeDef,
  type InputField,
  type InputTypeDef,
  noArguments,
  type ObjectTypeDef,
  type OutputField,
  type OutputMeta,
  type ScalarTypeDef,
} from "./types.ts";

type Named = readonly [string, OutputField];

/** Builds the object type of a row. */
export type ObjectTypeOf = (types: TypeRegistry, view: TableView) => ObjectTypeDef;

/** Returns true if rows of a table have global ids and connections, which requires a primary key. */
export function isNode({ readable, table }: TableView): boolean {
  return readable && table.source.dialect.relay !== undefined && table.primaryKey.length > 0;
}

const required = { list: false, required: true, args: noArguments } as const;

/**
 * Returns a decoder for ids of any table. Whether an id must be encrypted depends on its table, and is checked later.
 */
const idTexts = ({ cipher }: RelayTables): RelayTexts => new RelayTexts({ cipher, use: nodeIdUse, isProtected: false });

function idType(types: TypeRegistry, relay: RelayTables): ScalarTypeDef {
  return types.get<ScalarTypeDef>("ID", () => {
    const texts = idTexts(relay);
    return { kind: "scalar", name: "ID", structure: (value) => nodeIdStructure(value, texts) };
  });
}

/** Returns the field `id: ID!` of a row, which hides a column of that name. */
export function globalIdField(types: TypeRegistry, relay: RelayTables, view: TableView): Named {
  const { primaryKey: key, source } = view.table;
  const texts = new RelayTexts({ cipher: relay.cipher, use: nodeIdUse, isProtected: hasHiddenKey(view) });
  return ["id", idField(types, relay, { kind: "global_id", ...relay.nameOf(view), key, source: source.name, texts })];
}

function idField(types: TypeRegistry, relay: RelayTables, meta: OutputMeta): OutputField {
  return { ...required, type: () => idType(types, relay), description: () => "A globally unique identifier", meta };
}

/** Returns the interface of all rows with a global id. */
export function nodeInterface(types: TypeRegistry, relay: RelayTables, objectType: ObjectTypeOf): AbstractTypeDef {
  return types.get<AbstractTypeDef>("Node", () => ({
    kind: "interface",
    name: "Node",
    description: "An object with globally unique ID",
    fields: lazy(() => new Map([["id", idField(types, relay, { kind: "constant", value: "" })]])),
    types: lazy(() => {
      const objects = relay.nodes().map((view) => objectType(types, view));
      return sortedMap(objects.map((object) => [object.name, object]));
    }),
  }));
}

/** Returns the root field `node(id: ID!): Node`. */
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
    args: lazy(
      () => new Map([["id", queryArgument(() => idType(types, relay), "A globally unique id", { required: true })]]),
    ),
    meta: { kind: "node", root, typeOf: (view) => objectType(types, view), texts: idTexts(relay) },
  };
}

/** Returns the type `TConnection`. */
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

/** Returns the encoder of cursors of a view. Encrypted cursors of another table are refused. */
export function cursorTexts({ cipher }: RelayTables, view: TableView): RelayTexts {
  const { source, sql } = view.table;
  const use = JSON.stringify(["cursor", source.name, sql]);
  return new RelayTexts({ cipher, use, isProtected: hasHiddenKey(view) });
}

/** Arguments of lists that connections lack, in both naming conventions. */
const unpaged: ReadonlySet<string> = new Set(["limit", "offset", "top_per", "topPer"]);

/**
 * Returns `after`, `before`, `first`, `last`, and the arguments of a list that filter and order rows, without `top_per`.
 * @param list the arguments of a list of the same rows
 */
export function connectionArguments(
  types: TypeRegistry,
  list: ReadonlyMap<string, InputField>,
  cursors: RelayTexts,
): ReadonlyMap<string, InputField> {
  const int = () => types.scalar("Int");
  const structure = (value: unknown): string => cursorStructure(value, cursors);
  const cursorType: ScalarTypeDef = { kind: "scalar", name: "String", structure };
  const shared = [...list].filter(([name]) => !unpaged.has(name));
  return sortedMap([
    ...shared,
    ["after", queryArgument(() => cursorType, undefined)],
    ["before", queryArgument(() => cursorType, undefined)],
    ["first", queryArgument(int, undefined)],
    ["last", queryArgument(int, undefined)],
  ]);
}

// Builds an argument of a field that reads data. If it is optional, null means absent.

export function queryArgument(
  type: () => InputTypeDef,
  description: string | undefined,
  options: { readonly list?: boolean; readonly required?: boolean } = {},
): InputField {
  const { list = false, required = false } = options;
  return {
    type,
    list,
    required,
    nullIsAbsent: !required,
    meta: { kind: "argument" },
    ...(description === undefined ? {} : { description }),
  };
}
