/** Input types of `_related` in inserted rows: existing rows that become related rows of them. */
import { type RelatedConnects, relatedConnects } from "../definitions/related-writes.ts";
import type { TableView } from "../definitions/view.ts";
import { argument } from "./argument.ts";
import type { TypeRegistry } from "./registry.ts";
import { input, type Named, rowsType, whereField } from "./related-rows-types.ts";
import type { InputField, InputObjectTypeDef } from "./types.ts";

/** Yields the fields of a row that is inserted, if there is no row to connect. */
type Created = (types: TypeRegistry, view: TableView) => Iterable<Named>;

/**
 * Yields the member `_related` of inserted rows, if the role may connect rows.
 * @param taken names of the other members, which are kept
 */
export function* connectMember(
  types: TypeRegistry,
  view: TableView,
  taken: ReadonlySet<string>,
  created: Created,
): Iterable<Named> {
  const name = view.table.source.naming.field("_related");
  if (taken.has(name) || connectsOf(types, view).length === 0) return;
  const type = () => connectsType(types, view, created);
  const description = "existing rows that become related rows of the inserted row";
  yield [name, optional({ ...argument(type, description), meta: { kind: "connects" } })];
}

const connectsOf = (types: TypeRegistry, view: TableView): readonly RelatedConnects[] =>
  relatedConnects(view, (permission) => types.allows(permission));

const optional = (field: InputField): InputField => ({ ...field, nullIsAbsent: true });

function connectsType(types: TypeRegistry, view: TableView, created: Created): InputObjectTypeDef {
  return input(types, view, "insert_related_input", "existing rows to be related to inserted rows of table", () =>
    connectsOf(types, view).map((connects): Named => {
      const field = argument(() => relationshipType(types, connects, created), undefined);
      return [connects.name, optional({ ...field, meta: { kind: "connect", connects } })];
    }),
  );
}

/** Returns the type of one relationship. Its fields depend only on its kind and on permissions of the other table. */
function relationshipType(
  types: TypeRegistry,
  { relationship: { kind, target }, creates }: RelatedConnects,
  created: Created,
): InputObjectTypeDef {
  const view = target();
  const list = kind === "array";
  const form = list ? "arr" : "obj";
  const fields = function* (): Iterable<Named> {
    const one = list ? "makes existing rows related rows" : "makes an existing row the related row";
    yield ["connect", optional(argument(() => rowsType(types, view), one, { list }))];
    if (!creates) return;
    const other = "the same, or inserts a row if there is none";
    const type = () => createdType(types, view, created);
    const name = view.table.source.naming.field("connect_or_create");
    yield [name, optional(argument(type, other, { list }))];
  };
  return input(types, view, `${form}_rel_connect_input`, `existing rows of an ${kind} relationship to table`, fields);
}

function createdType(types: TypeRegistry, view: TableView, created: Created): InputObjectTypeDef {
  const description = "rows to be connected, or the row to be inserted if there are none, of table";
  return input(types, view, "connect_or_create_input", description, () => [
    whereField(types, view),
    ...created(types, view),
  ]);
}
