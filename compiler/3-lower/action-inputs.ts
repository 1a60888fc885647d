/** The parts of the Analysis that the actions of a role depend on. */
import { compareText } from "../../runtime/values/text-order.ts";
import type { Analysis, AnalyzedSource } from "../2-analyze/analysis.ts";
import { qualifiedKey } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { includesKey } from "../2-analyze/relationships.ts";
import { baseTypeName } from "../2-analyze/rules/custom-types.ts";
import type { QualifiedName, SourceKind } from "../catalog/model.ts";
import type { Action, CustomTypes, ObjectType, TypeRelationship } from "../catalog/outside-sources.ts";
import { dialectOf } from "../dialects/index.ts";
import type { TypeRef } from "../shape/shape.ts";
import { adminRole } from "./admin-role.ts";
import { isReadable } from "./relationship-inputs.ts";
import {
  type RemoteRelationshipInputs,
  type RemoteRelationshipParts,
  remoteRelationshipsOfOutput,
} from "./remote-relationship-inputs.ts";

export type ActionParts = Pick<Analysis, "actions" | "customTypes"> & RemoteRelationshipParts;

function actionsOf(analysis: Pick<ActionParts, "actions">, role: string | null): readonly Action[] {
  if (role === null) return [];
  const isOwn = ({ permissions }: Action) => role === adminRole || permissions.some((each) => each.role === role);
  return [...analysis.actions.values()].filter(isOwn);
}

/** The inputs of one action field of a role. */
export interface ActionRootInputs {
  readonly action: Pick<Action, "name" | "definition">;
  /** Object types of the result with relationships to tables that the role may read. */
  readonly outputs: readonly string[];
  /** Object types of the result with remote relationships that the role may follow. */
  readonly joined: readonly string[];
}

export function actionRootInputs(analysis: ActionParts, role: string | null): readonly ActionRootInputs[] {
  const readable = new Set(outputRowsInputs(analysis, role).map(({ type }) => type));
  const joined = new Set(outputJoinsInputs(analysis, role).map(({ type }) => type));
  return actionsOf(analysis, role).map(({ name, definition }) => {
    const types = reachableObjects(definition.output_type, analysis.customTypes);
    return {
      action: { name, definition },
      outputs: types.filter((type) => readable.has(type)),
      joined: types.filter((type) => joined.has(type)),
    };
  });
}

/** Remote relationships of one output type that a role may follow. */
export interface OutputJoinsInputs {
  readonly role: string;
  readonly type: string;
  readonly relationships: readonly RemoteRelationshipInputs[];
}

/** Returns one item per output type, in the order of their names. */
export function outputJoinsInputs(analysis: ActionParts, role: string | null): readonly OutputJoinsInputs[] {
  if (role === null) return [];
  return outputTypes(analysis, role).flatMap((type): OutputJoinsInputs[] => {
    const relationships = remoteRelationshipsOfOutput(analysis, type, role);
    return relationships.length === 0 ? [] : [{ role, type: type.name, relationships }];
  });
}

/** Returns the object types that results of the role's actions may contain, in the order of their names. */
function outputTypes(analysis: ActionParts, role: string): readonly ObjectType[] {
  const { customTypes } = analysis;
  const types = new Set(
    actionsOf(analysis, role).flatMap(({ definition }) => reachableObjects(definition.output_type, customTypes)),
  );
  return customTypes.objects.filter(({ name }) => types.has(name)).sort((a, b) => compareText(a.name, b.name));
}

/** Relationships of one output type to tables that a role may read. */
export interface OutputRowsInputs {
  readonly role: string;
  readonly type: string;
  readonly source: string;
  readonly kind: SourceKind;
  readonly relationships: readonly OutputRelationshipInputs[];
}

interface OutputRelationshipInputs {
  readonly name: string;
  readonly kind: "object" | "array";
  readonly target: QualifiedName;
  readonly mapping: readonly { readonly field: string; readonly column: string; readonly type: TypeRef }[];
  /** True if at most one row matches. */
  readonly unique: boolean;
  readonly aggregations: boolean;
}

/** Returns one item per output type, in the order of their names. */
export function outputRowsInputs(analysis: ActionParts, role: string | null): readonly OutputRowsInputs[] {
  if (role === null) return [];
  return outputTypes(analysis, role).flatMap((type) => rowsOfType(type, analysis.sources, role));
}

function rowsOfType(
  { name, relationships }: ObjectType,
  sources: Analysis["sources"],
  role: string,
): OutputRowsInputs[] {
  const source = sources.get(relationships[0]?.source ?? "");
  if (source === undefined || dialectOf(source.source.kind).runtime.dialect.entities === undefined) return [];
  const readable = relationships.flatMap((relationship) => relationshipInputs(relationship, source, role));
  if (readable.length === 0) return [];
  return [{ role, type: name, source: source.name, kind: source.source.kind, relationships: readable }];
}

function relationshipInputs(
  { name, type, remote_table, field_mapping }: TypeRelationship,
  source: AnalyzedSource,
  role: string,
): OutputRelationshipInputs[] {
  const target = source.tables.get(qualifiedKey(remote_table));
  if (!target || target.graphqlName === null || !isReadable(source, target.table.table, role)) return [];
  const mapping = Object.entries(field_mapping).map(([field, column]) => ({
    field,
    column,
    type: typeOf(target, column),
  }));
  return [
    {
      name,
      kind: type,
      target: target.table.table,
      mapping: mapping.flatMap(({ type: found, ...pair }) => (found ? [{ ...pair, type: found }] : [])),
      unique: includesKey(
        target.shape,
        mapping.map(({ column }) => column),
      ),
      aggregations: role === adminRole || target.select.get(role)?.aggregations === true,
    },
  ];
}

function typeOf({ columns }: AnalyzedTable, name: string): TypeRef | undefined {
  return columns.find((column) => column.name === name)?.shape.type;
}

/** Returns the object types reachable from an output type, in breadth-first order. */
function reachableObjects(outputType: string, { objects }: CustomTypes): readonly string[] {
  const types = new Map(objects.map((type) => [type.name, type]));
  const found = new Set([baseTypeName(outputType)]);
  // Iterating over a Set also visits items added during the iteration.
  for (const name of found) for (const { type } of types.get(name)?.fields ?? []) found.add(baseTypeName(type));
  return [...found].filter((name) => types.has(name));
}
