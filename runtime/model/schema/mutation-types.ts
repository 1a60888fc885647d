/** `mutation_root`: its fields, and the arguments and results of updates and deletes. */
import { lazy, sortedMap } from "../../values/lazy.ts";
import type { UpdateOperator } from "../definitions/dialect.ts";
import {
  type FunctionRoot,
  type MutationRoot,
  type Namespace,
  namespace,
  type RemoteRoot,
  type RoleDefinition,
  RootParts,
  type RootRecord,
  type WriteRoot,
} from "../definitions/roots.ts";
import type { TableView } from "../definitions/view.ts";
import { actionField, delayedField, isActionRoot } from "./action-types.ts";
import { argument } from "./argument.ts";
import { changesField } from "./change-types.ts";
import { filterType } from "./filter-types.ts";
import { columnInput, insertArguments } from "./insert-types.ts";
import { keyArguments, objectType } from "./output-types.ts";
import { functionField } from "./query-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { relatedArgument } from "./related-types.ts";
import type { RemoteOperation } from "./remote-type-set.ts";
import { isNamespace, rootType } from "./root-type.ts";
import {
  type InputField,
  type InputObjectTypeDef,
  noArguments,
  type ObjectTypeDef,
  type OutputField,
} from "./types.ts";

type NamedInput = readonly [string, InputField];

/** Returns the mutation type; `null` if the role has no mutation in this variant of its schema. */
export function mutationType(
  types: TypeRegistry,
  { mutation }: RoleDefinition,
  namespaces: "mutation_frontend" | "mutation_backend",
): ObjectTypeDef | null {
  const allowed = (roots: RootRecord<MutationRoot>) => allowedRoots(types, roots);
  return rootType(types, mutation instanceof RootParts ? mutation.map(allowed) : allowed(mutation), {
    name: "mutation_root",
    description: "mutation root",
    namespaces,
    field: (root, name) => {
      if (isRemoteRoot(root)) return remoteRootField(types, root, name, "mutation");
      return isActionRoot(root) ? actionField(types, root, name) : mutationField(types, root);
    },
  });
}

function allowedRoots(types: TypeRegistry, roots: RootRecord<MutationRoot>): RootRecord<MutationRoot> {
  const allowed = Object.entries(roots).flatMap(([name, root]): [string, MutationRoot | Namespace<MutationRoot>][] => {
    if (!isNamespace(root)) return isAllowed(types, root) ? [[name, root]] : [];
    const fields = Object.entries(root.fields).filter(([, inner]) => isAllowed(types, inner));
    if (fields.length === Object.keys(root.fields).length) return fields.length === 0 ? [] : [[name, root]];
    return fields.length === 0 ? [] : [[name, namespace(root.source, Object.fromEntries(fields))]];
  });
  const areAll = allowed.length === Object.keys(roots).length && allowed.every(([name, root]) => roots[name] === root);
  return areAll ? roots : Object.fromEntries(allowed);
}

function isAllowed(types: TypeRegistry, root: MutationRoot): boolean {
  if (isRemoteRoot(root)) return types.relay === null;
  if (isActionRoot(root)) return true;
  return "function" in root || types.allows(root);
}

function mutationField(types: TypeRegistry, root: WriteRoot | FunctionRoot): OutputField {
  if ("function" in root) {
    return {
      ...functionField(types, root),
      description: () => described(root, () => functionDescription(root)),
      meta: { kind: "root", root },
    };
  }
  const { view } = root;
  return {
    ...answerType(types, root),
    description: () => described(root, () => writeDescription(root)),
    args: lazy(() => writeArguments(types, root.kind, view())),
    meta: { kind: "write", root },
  };
}

/** Returns the description of a root field; `""` in the metadata means none. */
function described(root: WriteRoot | FunctionRoot, standard: () => string): string | undefined {
  return root.description === undefined ? standard() : root.description || undefined;
}

function functionDescription({ function: { function: called }, view }: FunctionRoot): string {
  return `execute VOLATILE function "${called.displayName}" which returns "${view().table.displayName}"`;
}

function answerType(
  types: TypeRegistry,
  { kind, view }: WriteRoot,
): Pick<OutputField, "type" | "list" | "required" | "nullableItems"> {
  switch (kind) {
    case "insert":
    case "update":
    case "delete":
      return { type: () => responseType(types, view()), list: false, required: false };
    case "update_many":
      return { type: () => responseType(types, view()), list: true, required: false, nullableItems: true };
    case "insert_one":
    case "update_by_pk":
    case "delete_by_pk":
      return { type: () => objectType(types, view()), list: false, required: false };
  }
}

function writeArguments(
  types: TypeRegistry,
  kind: WriteRoot["kind"],
  view: TableView,
): ReadonlyMap<string, InputField> {
  const { naming } = view.table.source;
  switch (kind) {
    case "insert":
      return insertArguments(types, view, "many");
    case "insert_one":
      return insertArguments(types, view, "one");
    case "update":
      return sortedMap([
        ...operatorArguments(types, view),
        ...relatedArgument(types, view, operatorArguments),
        whereArgument(types, view, updatedRows),
      ]);
    case "update_by_pk":
      return sortedMap([
        ...operatorArguments(types, view),
        ...relatedArgument(types, view, operatorArguments),
        [naming.field("pk_columns"), argument(() => keyType(types, view), undefined, { required: true })],
      ]);
    case "update_many":
      return new Map([
        [
          "updates",
          argument(() => updatesType(types, view), "updates to execute, in order", { list: true, required: true }),
        ],
      ]);
    case "delete":
      return new Map([whereArgument(types, view, "filter the rows which have to be deleted")]);
    case "delete_by_pk":
      return keyArguments(types, view);
  }
}

const updatedRows = "filter the rows which have to be updated";

function whereArgument(types: TypeRegistry, view: TableView, description: string): NamedInput {
  return ["where", argument(() => filterType(types, view), description, { required: true })];
}

/** Yields `_set`, `_inc` and the other operators that a column supports. */
function* operatorArguments(types: TypeRegistry, view: TableView): Iterable<NamedInput> {
  const { dialect, naming } = view.table.source;
  for (const operator of dialect.updateOperators) {
    if (columnsFor(operator, view).length === 0) continue;
    const description = operator.argumentDescription ?? operator.description(view.table.displayName);
    yield [naming.field(operator.name), argument(() => operatorType(types, view, operator), description)];
  }
}

function columnsFor({ on }: UpdateOperator, { update }: TableView) {
  return update?.columns.filter(({ type }) => on(type)) ?? [];
}

function operatorType(types: TypeRegistry, view: TableView, operator: UpdateOperator): InputObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, operator.type);
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: operator.description(table.displayName),
    fields: lazy(() =>
      sortedMap(
        columnsFor(operator, view).map((column): NamedInput => {
          const { operand } = operator;
          const field = columnInput(types, column);
          if (operand === undefined) return [column.field, field];
          return [column.field, { ...field, type: () => types.scalarOf(operand), list: operand.element !== undefined }];
        }),
      ),
    ),
  }));
}

/** Returns the input type of the primary key of a row to update. */
function keyType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, "pk_columns_input");
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    description: `primary key columns input for table: ${table.type}`,
    fields: lazy(() => keyArguments(types, view)),
  }));
}

/** Returns the input type of one update in `update_many`. */
function updatesType(types: TypeRegistry, view: TableView): InputObjectTypeDef {
  const { table } = view;
  const name = table.source.naming.type(table.type, "updates");
  return types.of(table.source).get<InputObjectTypeDef>(name, () => ({
    kind: "input",
    name,
    fields: lazy(() =>
      sortedMap([
        ...operatorArguments(types, view),
        ...relatedArgument(types, view, operatorArguments),
        whereArgument(types, view, updatedRows),
      ]),
    ),
  }));
}

/** Returns the result type of a mutation: the number of affected rows, and the rows if the role may read them. */
function responseType(types: TypeRegistry, view: TableView): ObjectTypeDef {
  const { table } = view;
  const { naming } = table.source;
  const name = naming.type(table.type, "mutation_response");
  const field = { required: true, args: noArguments } as const;
  return types.of(table.source).get<ObjectTypeDef>(name, () => ({
    kind: "object",
    name,
    description: `response of any mutation on the table "${table.displayName}"`,
    fields: lazy(() => {
      const affected: OutputField = {
        ...field,
        list: false,
        type: () => types.scalar("Int"),
        description: () => "number of rows affected by the mutation",
        meta: { kind: "affected_rows" },
      };
      const returning: OutputField = {
        ...field,
        list: true,
        type: () => objectType(types, view),
        description: () => "data from the rows affected by the mutation",
        meta: { kind: "returning" },
      };
      const fields: [string, OutputField][] = [[naming.field("affected_rows"), affected]];
      if (!view.readable) return new Map(fields);
      return new Map([...fields, ...changesField(types, view), ["returning", returning]]);
    }),
  }));
}

function writeDescription({ kind, view }: WriteRoot): string {
  const table = `"${view().table.displayName}"`;
  switch (kind) {
    case "insert":
      return `insert data into the table: ${table}`;
    case "insert_one":
      return `insert a single row into the table: ${table}`;
    case "update":
      return `update data of the table: ${table}`;
    case "update_by_pk":
      return `update single row of the table: ${table}`;
    case "update_many":
      return `update multiples rows of table: ${table}`;
    case "delete":
      return `delete data from the table: ${table}`;
    case "delete_by_pk":
      return `delete single row from the table: ${table}`;
  }
}

// Root fields of remote schemas.

/** Returns the root field. The types of the remote schema are parsed on first use. */
export function remoteRootField(
  types: TypeRegistry,
  root: RemoteRoot,
  name: string,
  operation: RemoteOperation,
): OutputField {
  if (root.kind === "remote_namespace") {
    return {
      type: lazy(() => types.remote(root.remote()).namespace(operation, root)),
      list: false,
      required: true,
      args: noArguments,
      meta: { kind: "namespace", root },
    };
  }
  return delayedField(lazy(() => types.remote(root.remote()).rootField(operation, name, root)));
}

export function isRemoteRoot(root: { readonly kind: string }): root is RemoteRoot {
  return root.kind === "remote" || root.kind === "remote_namespace";
}
