/**
 * What the modules of a role declare, as values: the same IR as the modules, without row filters. The role's schema
 * is printed from it.
 */
import { enumOf } from "../../runtime/support/enum.ts";
import { invariant } from "../../runtime/support/errors.ts";
import type { TrackedFunction } from "../../runtime/support/function.ts";
import { engineDefault, graphqlDefault } from "../../runtime/support/naming.ts";
import {
  type NativeRows,
  nativeArgument,
  nativeQuery,
  procedureArgument,
  storedProcedure,
} from "../../runtime/support/native-query.ts";
import {
  defineRelay,
  defineRole,
  type MutationRoot,
  type Namespace,
  type NodeRoot,
  namespace,
  type RelayDefinition,
  type RoleDefinition,
  type RootField,
  type Roots,
  type SubscriptionRoot,
  selectAggregate,
  selectByPk,
  selectConnection,
  selectFunction,
  selectFunctionAggregate,
  selectFunctionConnection,
  selectMany,
  selectNative,
  selectNode,
  selectProcedure,
  streamRows,
  type TablesByName,
} from "../../runtime/support/roots.ts";
import type { EnumDefinition } from "../../runtime/support/scalar-type.ts";
import { empty } from "../../runtime/support/sql.ts";
import {
  type Column,
  column,
  defineSource,
  defineTable,
  joinOn,
  type SourceDefinition,
} from "../../runtime/support/table.ts";
import { type Relationship, type TableView, tableView, toMany, toOne } from "../../runtime/support/view.ts";
import { allowDelete, allowInsert, allowUpdate, nestedRow, nestedRows } from "../../runtime/support/write.ts";
import type {
  ConnectionRootIr,
  FunctionRef,
  FunctionRootIr,
  InNamespace,
  MutationRootIr,
  NamespaceIr,
  NativeQueryIr,
  NodeRootIr,
  RelationshipIr,
  RoleSchemaIr,
  RootIr,
  SourceIr,
  StoredProcedureIr,
  SubscriptionRootIr,
  TableRef,
  WriteShapesIr,
} from "../3-lower/ir.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { computedFieldValue, enumValue, type FunctionValue, functionValue } from "./function-definition.ts";

export function roleDefinition(
  { role, relay, views, functions, enums }: RoleSchemaIr,
  dialectOf: (source: SourceIr) => Dialect,
): { readonly definition: RoleDefinition; readonly relay: RelayDefinition | undefined } {
  const name = `role ${role.role}`;
  const sources = new Map<string, Pick<Surroundings, "source" | "dialect">>();
  for (const { source } of views) {
    const dialect = dialectOf(source);
    if (!sources.has(source.name)) sources.set(source.name, { source: sourceDefinition(source, dialect), dialect });
  }
  const made = new Map<string, TableView>();
  const viewOf = (ref: TableRef) => (): TableView => known(made.get(keyOf(ref)), ref, name);
  const sourceOf = (ref: TableRef) => known(sources.get(ref.source), ref, name);
  const calls = new Map(
    functions.map((ir) => {
      const { source, dialect } = sourceOf(ir.function);
      return [keyOf(ir.function), functionValue(ir, source, dialect)] as const;
    }),
  );
  const enumerations = new Map(enums.map((ir) => [keyOf(ir.table), enumValue(ir, sourceOf(ir.table).source)]));
  const surroundings = {
    viewOf,
    functionOf: (ref: FunctionRef) => known(calls.get(keyOf(ref)), ref, name),
    enumOf: (ref: TableRef) => known(enumerations.get(keyOf(ref)), ref, name),
  };
  for (const parts of views) {
    const { table } = parts.view;
    made.set(keyOf(table), viewValue(parts, { ...sourceOf(table), ...surroundings }));
  }
  const rootsOf = <Ir extends { readonly field: string; readonly kind: string }, Root>(
    irs: readonly InNamespace<Ir>[],
    make: (root: Ir, surroundings: Pick<Surroundings, "viewOf" | "functionOf">) => Root,
  ): Roots<Root> => {
    const values = (roots: readonly Ir[]) => roots.map((root) => [root.field, make(root, surroundings)] as const);
    return Object.fromEntries(
      irs.flatMap((ir): (readonly [string, Root | Namespace<Root>])[] => {
        if (!isNamespaceIr(ir)) return values([ir]);
        const { source } = known(sources.get(ir.source), { source: ir.source, schema: "", name: ir.field }, name);
        return [[ir.field, namespace(source, Object.fromEntries(values(ir.fields)))]];
      }),
    );
  };
  const definition = defineRole({
    role: role.role ?? "",
    query: rootsOf(role.query, rootField),
    subscription: rootsOf(role.subscription, subscriptionField),
    mutation: rootsOf(role.mutation, mutationField),
    tables: tablesByName(role.tables, viewOf),
    ...(role.entities && { entities: role.entities.map(viewOf) }),
  });
  if (!relay) return { definition, relay };
  const { query, subscription } = relay;
  return {
    definition,
    relay: defineRelay({ query: rootsOf(query, relayField), subscription: rootsOf(subscription, relayField) }),
  };
}

function relayField(
  root: ConnectionRootIr | NodeRootIr,
  { viewOf, functionOf }: Pick<Surroundings, "viewOf" | "functionOf">,
): RootField | NodeRoot {
  switch (root.kind) {
    case "select_connection":
      return selectConnection(viewOf(root.table));
    case "function_connection":
      return selectFunctionConnection(viewOf(root.table), trackedFunction(root, functionOf));
    case "node":
      return selectNode(tablesByName(root.tables, viewOf));
  }
}

function tablesByName(tables: readonly TableRef[], viewOf: Surroundings["viewOf"]): TablesByName {
  const sources: Record<string, Record<string, Record<string, () => TableView>>> = Object.create(null);
  for (const table of tables) {
    sources[table.source] ??= Object.create(null);
    const schemas = sources[table.source] ?? {};
    schemas[table.schema] ??= Object.create(null);
    const names = schemas[table.schema] ?? {};
    names[table.name] = viewOf(table);
  }
  return sources;
}

const keyOf = ({ source, schema, name }: TableRef): string => JSON.stringify([source, schema, name]);

function isNamespaceIr<Ir extends { readonly kind: string }>(ir: InNamespace<Ir>): ir is NamespaceIr<Ir> {
  return ir.kind === "namespace";
}

function known<T>(value: T | undefined, { schema, name }: TableRef, role: string): T {
  invariant(value !== undefined, `${role} has no ${schema}.${name}`);
  return value;
}

const conventions = { engineDefault, graphqlDefault };

function sourceDefinition(source: SourceIr, dialect: Dialect): SourceDefinition {
  const { name, naming, typeNames, hidesAggregatePredicates } = source;
  return defineSource({
    name,
    dialect: dialect.runtime.dialect,
    naming: conventions[naming](typeNames),
    ...(hidesAggregatePredicates ? { hidesAggregatePredicates } : {}),
  });
}

interface Surroundings {
  readonly source: SourceDefinition;
  readonly dialect: Dialect;
  readonly viewOf: (ref: TableRef) => () => TableView;
  readonly functionOf: (ref: FunctionRef) => FunctionValue;
  readonly enumOf: (ref: TableRef) => EnumDefinition;
}

function viewValue({ table, view }: RoleSchemaIr["views"][number], surroundings: Surroundings): TableView {
  const { source, dialect, viewOf, functionOf } = surroundings;
  const columns = new Map(
    table.columns.map(({ field, sql, type, enumTable, ...options }) => {
      const scalar = dialect.scalarOf(type);
      const shown = enumTable ? enumOf(surroundings.enumOf(enumTable), scalar) : scalar;
      const isPartlyHidden = Object.hasOwn(view.cells ?? {}, field);
      return [field, column(field, sql, shown, isPartlyHidden ? { ...options, nullable: true } : options)];
    }),
  );
  const computedFields = table.computedFields.flatMap((field) => {
    const shown = view.computedFields.find(({ name }) => name === field.name);
    if (!shown) return [];
    const target = shown.target && viewOf(shown.target);
    const computed = computedFieldValue(field, functionOf(field.function), target, dialect);
    return computed ? [[field.name, computed] as const] : [];
  });
  const columnsOf = (fields: readonly string[]): Column[] =>
    fields.map((field) => {
      const found = columns.get(field);
      invariant(found, `${table.displayName} has no column ${field}`);
      return found;
    });
  const definition = defineTable({
    source,
    sql: table.sql,
    type: table.type,
    displayName: table.displayName,
    ...(table.description === undefined ? {} : { description: table.description }),
    primaryKey: columnsOf(table.primaryKey),
    constraints: table.constraints,
    ...(table.query ? { query: rowsValue(table.query, dialect) } : {}),
  });
  return tableView(definition, {
    readable: view.readable,
    columns: columnsOf(view.columns),
    relationships: Object.fromEntries(view.relationships.map((r) => [r.name, relationshipValue(r, viewOf(r.target))])),
    computedFields: Object.fromEntries(computedFields),
    aggregations: view.aggregations,
    ...writeValues(view.writes, columnsOf, viewOf),
  });
}

function rowsValue(query: NativeQueryIr | StoredProcedureIr, dialect: Dialect): NativeRows {
  if ("procedure" in query) {
    const args = query.arguments.map(({ name, type, variable, ...options }) =>
      procedureArgument(name, dialect.scalarOf(type), variable, options),
    );
    return storedProcedure({ ...query, arguments: args });
  }
  const { name, objectType, arguments: args } = query;
  return nativeQuery({
    name,
    objectType,
    arguments: args.map(({ name, type, ...options }) => nativeArgument(name, dialect.scalarOf(type), options)),
    rows: () => empty,
  });
}

function writeValues(
  { insert, update, delete: remove }: WriteShapesIr,
  columnsOf: (fields: readonly string[]) => readonly Column[],
  viewOf: Surroundings["viewOf"],
): Pick<TableView, "insert" | "update" | "delete"> {
  const join = joinOn(() => empty, { unique: false });
  const nested = insert?.nested.map(({ name, kind, target }) => {
    const define = kind === "object" ? nestedRow : nestedRows;
    return [name, define(join, viewOf(target))] as const;
  });
  return {
    ...(insert && {
      insert: allowInsert({
        columns: columnsOf(insert.columns),
        nested: Object.fromEntries(nested ?? []),
        backendOnly: insert.backendOnly,
      }),
    }),
    ...(update && { update: allowUpdate({ columns: columnsOf(update.columns), backendOnly: update.backendOnly }) }),
    ...(remove && { delete: allowDelete({ backendOnly: remove.backendOnly }) }),
  };
}

function mutationField(root: MutationRootIr, surroundings: Pick<Surroundings, "viewOf" | "functionOf">): MutationRoot {
  if ("function" in root) {
    const { description } = root;
    const options = description === undefined ? {} : { description };
    const call = trackedFunction(root, surroundings.functionOf);
    return { kind: "function", view: surroundings.viewOf(root.table), function: call, ...options };
  }
  const { kind, table, backendOnly, description } = root;
  const options = description === undefined ? {} : { description };
  return { kind, view: surroundings.viewOf(table), backendOnly, ...options };
}

function relationshipValue({ kind, required, aggregations }: RelationshipIr, target: () => TableView): Relationship {
  const join = joinOn(() => empty, { unique: false });
  return kind === "object" ? toOne(join, target, { required }) : toMany(join, target, { aggregations });
}

function rootField(root: RootIr, { viewOf, functionOf }: Pick<Surroundings, "viewOf" | "functionOf">): RootField {
  const { kind, description } = root;
  const view = viewOf(root.table);
  const options = description === undefined ? {} : { description };
  switch (kind) {
    case "select_many":
      return selectMany(view, options);
    case "select_by_pk":
      return selectByPk(view, options);
    case "select_aggregate":
      return selectAggregate(view, options);
    case "native_query":
      return selectNative(view, options);
    case "stored_procedure":
      return selectProcedure(view, options);
    case "function":
      return selectFunction(view, trackedFunction(root, functionOf), options);
    case "function_aggregate":
      return selectFunctionAggregate(view, trackedFunction(root, functionOf), options);
  }
}

function subscriptionField(
  root: SubscriptionRootIr,
  surroundings: Pick<Surroundings, "viewOf" | "functionOf">,
): SubscriptionRoot {
  if (root.kind !== "select_stream") return rootField(root, surroundings);
  const { table, description } = root;
  return streamRows(surroundings.viewOf(table), description === undefined ? {} : { description });
}

function trackedFunction(
  { field, function: ref }: Pick<FunctionRootIr, "field" | "function">,
  functionOf: Surroundings["functionOf"],
): TrackedFunction {
  const { tracked } = functionOf(ref);
  invariant(tracked !== undefined, `field ${field} calls a function that is not tracked`);
  return tracked;
}
