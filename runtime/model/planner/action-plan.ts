/**
 * Plans fields resolved by action handlers: the call, and one statement for each source that reads rows for all output
 * objects (`docs/how-to/actions.md`).
 */

import { invariant } from "../../values/errors.ts";
import type { OutputRows, Outputs } from "../definitions/actions/output.ts";
import type { Encoder, HandlerObjects, InputRows, ParameterSlot } from "../definitions/parameters.ts";
import type { RemoteRelationship } from "../definitions/remote-relationship.ts";
import { joinSql, parameter, render, type Sql, sql, verbatim } from "../definitions/sql.ts";
import type { SourceDefinition } from "../definitions/table.ts";
import { columnSlot } from "./mutate/insert.ts";
import type { Variables } from "./request/action/arguments.ts";
import type { ActionCall } from "./request/action/select.ts";
import type { SelectedField, SelectedMeta } from "./request/selected-field.ts";
import { type BuildContext, buildContext, type PlanOptions } from "./select/context.ts";
import { fromClause, scopeOf } from "./select/scope.ts";
import { jsonFields } from "./select/select.ts";

export interface ActionPlan {
  readonly call: ActionCall;
  /** `null` for scalars and enums, and lists of them. */
  readonly output: OutputObject | null;
  readonly reads: readonly OutputRead[];
  /** For mutations: number of preceding fields that write to databases. */
  readonly afterWrites: number;
}

/** Selection of an output object. */
export interface OutputObject {
  readonly members: readonly OutputMember[];
  /** Index of the place, if rows are read for the object. */
  readonly place?: number;
}

export type OutputMember =
  /** `object` is the selection of a member that contains objects. */
  | { readonly kind: "member"; readonly key: string; readonly name: string; readonly object?: OutputObject }
  | { readonly kind: "constant"; readonly key: string; readonly value: string }
  /** Keys of a join: members of the object. */
  | { readonly kind: "join"; readonly key: string; readonly names: readonly string[] }
  /** A member that is read from the database. */
  | { readonly kind: "read"; readonly key: string };

/** A statement that reads rows for all objects of some places. */
export interface OutputRead {
  readonly source: string;
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  /** Place of each column, which is a JSON list in the order of the place's objects. */
  readonly places: readonly number[];
}

/** Returns the name of the variable with a place's objects. No variable of a request can have such a name. */
export const placeVariable = (place: number): string => `(place ${place})`;

interface Place {
  readonly rows: OutputRows;
  readonly fields: readonly SelectedField[];
  readonly path: string;
}

export function planAction(
  { call, outputs }: Pick<Extract<SelectedMeta, { kind: "action_call" }>, "call" | "outputs">,
  field: SelectedField,
  variables: Variables,
  options: PlanOptions,
  afterWrites = 0,
): ActionPlan {
  const places: Place[] = [];
  const output = outputOf(outputs, field, places);
  return { call, output, reads: readsOf(places, variables, options), afterWrites };
}

/** Returns `null` for scalars and enums. */
function outputOf(outputs: Outputs, field: SelectedField, places: Place[]): OutputObject | null {
  const { selection, typeName } = field;
  // A selection may be empty: `@skip` can exclude all of its fields.
  if (typeName === undefined) return null;
  const members = selection.map((member): OutputMember => {
    const { key, meta } = member;
    if (meta.kind === "constant") return { kind: "constant", key, value: meta.value };
    const join = joinOf(member);
    if (join !== undefined) return { kind: "join", key, names: join.keys.map(({ name }) => name) };
    if (meta.kind !== "action_member") return { kind: "read", key };
    const { name } = meta;
    const object = outputOf(outputs, member, places);
    return { kind: "member", key, name, ...(object && { object }) };
  });
  const fields = selection.filter((member) => {
    return member.meta.kind !== "constant" && member.meta.kind !== "action_member" && joinOf(member) === undefined;
  });
  if (fields.length === 0) return { members };
  const rows = outputs[typeName];
  invariant(rows, `the role can read relationships of ${typeName}`);
  return { members, place: places.push({ rows: rows(), fields, path: field.path }) - 1 };
}

/** Returns the relationship of a joined field. */
function joinOf({ meta }: SelectedField): RemoteRelationship | undefined {
  switch (meta.kind) {
    case "join":
    case "join_aggregate":
      return meta.join;
    case "remote_join_request":
      return meta.request.join;
    default:
      return undefined;
  }
}

function readsOf(places: readonly Place[], variables: Variables, options: PlanOptions): readonly OutputRead[] {
  const sources = new Map<SourceDefinition, number[]>();
  for (const [i, { rows }] of places.entries()) {
    const { source } = rows.view.table;
    sources.set(source, [...(sources.get(source) ?? []), i]);
  }
  return [...sources].map(([source, own]): OutputRead => {
    const context = buildContext(source.dialect, options, variables);
    const columns = own.flatMap((i) => {
      const place = places[i];
      return place ? source.dialect.asText(placeValue(place, i, context)) : [];
    });
    const query = sql`select ${joinSql(columns, ", ")}`;
    const { text, slots } = render(joinSql([...context.before, query], ";\n"), source.dialect);
    return { source: source.name, text, slots, places: own };
  });
}

/** Selects a JSON list with the rows of each object, in the objects' order. */
function placeValue({ rows: { columns, view }, fields, path }: Place, place: number, context: BuildContext): Sql {
  const { dialect } = context;
  const { entities } = dialect;
  invariant(entities, "outputs of actions have relationships only if the database supports lists of values");
  const rows = handlerObjects({ place, path });
  const given = context.alias();
  const lists = [
    { name: sql`i`, values: texts(rows, positionKey, rowPosition, context) },
    ...columns.map(({ field, type }, i) => ({
      name: verbatim(`k${i + 1}`),
      values: texts(rows, field, type, context),
    })),
  ];
  const typed = dialect.select({
    columns: [
      sql`${entities.position(sql`${given}.i`)} as i`,
      ...columns.map((column, i) => {
        return sql`${column.type.operand(sql`${given}.${verbatim(`k${i + 1}`)}`)} as ${verbatim(column.sql)}`;
      }),
    ],
    from: entities.rowsOfTexts(lists, given),
  });
  const scope = scopeOf(view, context, sql`(${typed})`);
  const object = dialect.jsonObject(jsonFields(fields, scope, scope.alias, context));
  const list = dialect.jsonAggregate(object, { position: sql`${scope.alias}.i` });
  return sql`(select ${list} from ${fromClause(scope)})`;
}

/** No field of a type can have such a name. */
const positionKey = "(position)";

/** Encodes the positions of objects in their place. */
export const rowPosition: Encoder = { encode: String, code: { name: "rowPosition" } };

/** Returns the objects of a place as rows. */
export function handlerObjects({ place, path }: HandlerObjects): InputRows {
  const name = placeVariable(place);
  return {
    key: name,
    fromHandler: { place, path },
    of: (variables) => {
      const objects = variables[name];
      invariant(Array.isArray(objects), "the objects of a place are known when its statement is bound");
      const values = objects.map((object, i) => ({ ...object, [positionKey]: i }));
      return [{ values, pathOf: () => path, literal: false }];
    },
  };
}

function texts(rows: InputRows, name: string, encoder: Encoder, { dialect }: BuildContext): Sql {
  return parameter(columnSlot(rows, name, encoder, dialect.writes.textList));
}
