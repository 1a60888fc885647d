/** Input types of `_related`: the writes of related rows that an update makes together with its own. */
import { type RelatedWrites, relatedWrites } from "../definitions/related-writes.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import { nestedInput } from "./insert-types.ts";
import type { TypeRegistry } from "./registry.ts";
import { input, type Named, rowsType, whereField } from "./related-rows-types.ts";
import type { InputObjectTypeDef } from "./types.ts";

/** Yields the operators of an update of a view: `_set`, `_inc` and others. */
type Operators = (types: TypeRegistry, view: TableView) => Iterable<Named>;

/** Yields the argument `_related`, if the role may write rows of a relationship. */
export function* relatedArgument(types: TypeRegistry, view: TableView, operators: Operators): Iterable<Named> {
  if (writesOf(types, view).length === 0) return;
  const description = "writes of related rows, after the update of the row";
  yield [view.table.source.naming.field("_related"), argument(() => relatedType(types, view, operators), description)];
}

const writesOf = (types: TypeRegistry, view: TableView): readonly RelatedWrites[] =>
  relatedWrites(view, (permission) => types.allows(permission));

function relatedType(types: TypeRegistry, view: TableView, operators: Operators): InputObjectTypeDef {
  return input(types, view, "related_input", "writes of rows related to updated rows of table", () =>
    writesOf(types, view).map((writes): Named => {
      const type = () => writesType(types, writes, operators);
      return [
        writes.name,
        { type, list: false, required: false, nullIsAbsent: true, meta: { kind: "related", writes } },
      ];
    }),
  );
}

/**
 * Returns the type of the writes of one relationship. Relationships to the same table have different types if the role
 * may make different writes through them.
 */
function writesType(types: TypeRegistry, writes: RelatedWrites, operators: Operators): InputObjectTypeDef {
  const { relationship, insert, connect, disconnect } = writes;
  const { kind } = relationship;
  const moves = connect ? (disconnect ? "_move" : "_connect") : "";
  // All array relationships to a table have `delete` if one has it.
  const deletes = kind === "object" && writes.delete ? "_delete" : "";
  const form = kind === "object" ? "obj" : "arr";
  const suffix = `${form}_rel_${insert ? "update" : "change"}${moves}${deletes}_input`;
  const view = relationship.target();
  return input(types, view, suffix, `writes of the rows of an ${kind} relationship to table`, () =>
    writeFields(types, view, writes, operators),
  );
}

function* writeFields(
  types: TypeRegistry,
  view: TableView,
  { relationship, ...writes }: RelatedWrites,
  operators: Operators,
): Iterable<Named> {
  const { kind, join, target } = relationship;
  yield* kind === "object" ? rowFields(types, view, writes, operators) : rowsFields(types, view, writes, operators);
  if (writes.insert) yield ["insert", nestedInput(types, { kind, join, target }, "inserts related rows")];
}

type Kinds = Omit<RelatedWrites, "relationship">;

/** Yields the writes of the row of an object relationship. */
function* rowFields(types: TypeRegistry, view: TableView, writes: Kinds, operators: Operators): Iterable<Named> {
  const row = (description: string) => argument(() => rowsType(types, view), description);
  if (writes.delete) yield ["delete", row("deletes the related row")];
  if (writes.update) {
    yield ["update", argument(() => rowUpdateType(types, view, operators), "updates the related row")];
  }
  if (writes.connect) yield ["connect", row("makes an existing row the related row")];
}

/** Yields the writes of the rows of an array relationship. */
function* rowsFields(types: TypeRegistry, view: TableView, writes: Kinds, operators: Operators): Iterable<Named> {
  const rows = (description: string, list = false) => argument(() => rowsType(types, view), description, { list });
  if (writes.delete) yield ["delete", rows("deletes related rows")];
  if (writes.disconnect) yield ["disconnect", rows("makes related rows rows of no row")];
  if (writes.update) {
    const description = "updates of related rows, in order";
    yield ["update", argument(() => updatesType(types, view, operators), description, { list: true })];
  }
  if (writes.disconnect) yield ["set", rows("makes these rows, and no others, related rows")];
  if (writes.connect) yield ["connect", rows("makes existing rows related rows", true)];
}

function updatesType(types: TypeRegistry, view: TableView, operators: Operators): InputObjectTypeDef {
  return input(types, view, "arr_rel_updates", "an update of related rows of table", () => [
    ...operators(types, view),
    ...relatedArgument(types, view, operators),
    whereField(types, view),
  ]);
}

function rowUpdateType(types: TypeRegistry, view: TableView, operators: Operators): InputObjectTypeDef {
  return input(types, view, "obj_rel_updates", "an update of the related row of table", () => [
    ...operators(types, view),
    ...relatedArgument(types, view, operators),
  ]);
}
