/** The parts of the Analysis that the modules of functions, computed fields and enum tables depend on. */

import { compareText } from "../../runtime/values/text-order.ts";
import {
  type Analysis,
  type AnalyzedFunction,
  type AnalyzedSource,
  inferredDescription,
  qualifiedKey,
} from "../2-analyze/analysis.ts";
import {
  type AnalyzedColumn,
  type AnalyzedComputedField,
  type AnalyzedTable,
  keyFields,
} from "../2-analyze/analyzed-table.ts";
import type { QualifiedName, SourceKind } from "../catalog/model.ts";
import type { EnumValueShape, FunctionShape } from "../shape/shape.ts";
import { adminRole } from "./admin-role.ts";

export interface FunctionInputs {
  readonly source: string;
  readonly kind: SourceKind;
  readonly convention: AnalyzedSource["namingConvention"];
  readonly function: FunctionShape;
  /** Set if root fields call the function; otherwise only computed fields do. */
  readonly tracked: Pick<AnalyzedFunction, "graphqlName" | "sessionArgument"> | undefined;
}

/** The inputs of the root fields of one function. */
export interface FunctionRootInputs {
  readonly source: string;
  readonly function: QualifiedName;
  /** The table of the returned rows. */
  readonly target: QualifiedName;
  readonly rootFields: AnalyzedFunction["rootFields"];
  readonly comment: string | null | undefined;
  /** True if the role may aggregate the rows. */
  readonly aggregations: { readonly query: boolean; readonly subscription: boolean };
  /** True if the Relay schema has a connection of the rows. */
  readonly pages: { readonly query: boolean; readonly subscription: boolean };
}

export interface EnumInputs {
  readonly source: string;
  readonly table: QualifiedName;
  readonly graphqlName: string;
  readonly values: readonly EnumValueShape[];
}

/** A computed field whose type is in the schema. */
export interface ComputedInputs {
  readonly computed: AnalyzedComputedField;
  /** The table of the returned rows; `undefined` if the field returns a value. */
  readonly target: QualifiedName | undefined;
}

/** The settings that determine, with the permissions of a function, which roles may call it. */
export type FunctionAccess = Pick<Analysis, "inheritedRoles"> & {
  readonly options: Pick<Analysis["options"], "inferFunctionPermissions" | "inferDescriptions">;
};

const isInSchema = (table: AnalyzedTable | undefined): table is AnalyzedTable =>
  table !== undefined && table.graphqlName !== null;

/** Returns the functions that root fields or computed fields call, sorted by schema and name. */
export function functionsInSchema(source: AnalyzedSource): readonly FunctionInputs[] {
  const found = new Map<string, FunctionInputs>();
  const add = (shape: FunctionShape, tracked: FunctionInputs["tracked"]): void => {
    const key = qualifiedKey(shape);
    const { name, namingConvention: convention } = source;
    if (!found.has(key))
      found.set(key, { source: name, kind: source.source.kind, convention, function: shape, tracked });
  };
  for (const { shape, target, graphqlName, sessionArgument } of source.functions.values()) {
    if (isInSchema(source.tables.get(target))) add(shape, { graphqlName, sessionArgument });
  }
  for (const table of source.tables.values()) {
    if (!isInSchema(table)) continue;
    for (const { computed } of computedInputs(source, table)) add(computed.function, undefined);
  }
  return [...found].sort(([a], [b]) => compareText(a, b)).map(([, inputs]) => inputs);
}

/** Returns the computed fields of a table, in the order of their names. */
export function computedInputs(source: AnalyzedSource, table: AnalyzedTable): readonly ComputedInputs[] {
  return [...table.computedFields.values()].flatMap((computed): readonly ComputedInputs[] => {
    if (computed.returns.kind === "scalar") return [{ computed, target: undefined }];
    const target = source.tables.get(computed.returns.target);
    return isInSchema(target) ? [{ computed, target: target.table.table }] : [];
  });
}

/** Returns the computed fields that a role may read: permitted values, and rows of tables that it may read. */
export function visibleComputedFields(
  source: AnalyzedSource,
  table: AnalyzedTable,
  role: string,
): readonly ComputedInputs[] {
  const select = table.select.get(role);
  if (role !== adminRole && select === undefined) return [];
  return computedInputs(source, table).filter(({ computed: { name, returns } }) => {
    if (role === adminRole) return true;
    if (returns.kind === "table") return source.tables.get(returns.target)?.select.has(role) === true;
    return select?.computedFields.some((permitted) => permitted.name === name) === true;
  });
}

/** Returns the functions of one root type that a role may call. */
export function functionRootInputs(
  source: AnalyzedSource,
  role: string,
  exposedAs: AnalyzedFunction["exposedAs"],
  access: FunctionAccess,
): readonly FunctionRootInputs[] {
  return [...source.functions.values()].flatMap((tracked): readonly FunctionRootInputs[] => {
    const target = source.tables.get(tracked.target);
    if (tracked.exposedAs !== exposedAs || !isInSchema(target)) return [];
    const select = target.select.get(role);
    if (role !== adminRole && (select === undefined || !mayCall(tracked, role, access))) return [];
    const isAllowed = select?.aggregations ?? true;
    const hasKey = keyFields(target.primaryKey) !== undefined;
    return [
      {
        source: source.name,
        function: tracked.function.function,
        target: target.table.table,
        rootFields: tracked.rootFields,
        comment: tracked.function.comment ?? inferredDescription(tracked.shape.comment, access.options),
        aggregations: {
          query: isAllowed && (select?.queryRootFields?.includes("select_aggregate") ?? true),
          subscription: isAllowed && (select?.subscriptionRootFields?.includes("select_aggregate") ?? true),
        },
        pages: {
          query: hasKey && (select?.queryRootFields?.includes("select") ?? true),
          subscription: hasKey && (select?.subscriptionRootFields?.includes("select") ?? true),
        },
      },
    ];
  });
}

/** Returns true if the permissions of a function allow a role to call it. */
function mayCall(tracked: AnalyzedFunction, role: string, { options, inheritedRoles }: FunctionAccess): boolean {
  if (tracked.exposedAs === "query" && options.inferFunctionPermissions) return true;
  const isPermitted = (name: string): boolean =>
    tracked.function.permissions.some((permission) => permission.role === name) ||
    inheritedRoles.get(name)?.role_set.some(isPermitted) === true;
  return isPermitted(role);
}

export function enumsInSchema(source: AnalyzedSource): readonly EnumInputs[] {
  return [...source.tables.values()].flatMap(({ table, graphqlName, shape }) => {
    if (table.is_enum !== true || graphqlName === null) return [];
    return [{ source: source.name, table: table.table, graphqlName, values: shape.enumValues ?? [] }];
  });
}

/** Returns the enum tables that columns reference, by key. */
export function enumTablesOf(
  source: AnalyzedSource,
  columns: readonly AnalyzedColumn[],
): Readonly<Record<string, QualifiedName>> {
  const keys = new Set(columns.flatMap(({ enumTable }) => enumTable ?? []));
  return Object.fromEntries(
    [...keys].sort().flatMap((key) => {
      const table = source.tables.get(key);
      return isInSchema(table) ? [[key, table.table.table] as const] : [];
    }),
  );
}
