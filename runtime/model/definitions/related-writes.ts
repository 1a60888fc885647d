/**
 * Decides which related rows an insert or update may write with its own rows. Each kind of write needs the permission of
 * the table of those rows; a kind that sets joined columns also needs these columns in the permission that sets them.
 */

import type { Column } from "./column.ts";
import { permissionsFor } from "./merged-permissions.ts";
import type { Join } from "./table.ts";
import { type Relationship, type TableView, tableRelationships } from "./view.ts";
import type { Preset, UpdatePermission } from "./write.ts";

/** The writes of one relationship that a role may request in an update. */
export interface RelatedWrites {
  readonly name: string;
  readonly relationship: Relationship;
  readonly update: boolean;
  readonly delete: boolean;
  readonly insert: boolean;
  /** Makes existing rows related rows of the updated row. */
  readonly connect: boolean;
  /** Sets the joined columns of related rows to null. */
  readonly disconnect: boolean;
}

/** A relationship whose existing rows a role may make related rows of inserted rows. */
export interface RelatedConnects {
  readonly name: string;
  readonly relationship: Relationship;
  /** Rows may be inserted if there are none. */
  readonly creates: boolean;
}

/** Returns true if a permission exists and is part of the schema. */
type Allows = <T extends { readonly backendOnly: boolean }>(permission: T | undefined) => permission is T;

/** Returns the relationships whose rows an update of a view may write. */
export function relatedWrites(view: TableView, allows: Allows): readonly RelatedWrites[] {
  return tableRelationships(view)
    .map(([name, relationship]) => ({ name, relationship, ...writesOf(view, relationship, allows) }))
    .filter((writes) => writes.update || writes.delete || writes.insert || writes.connect);
}

/** Returns the relationships whose rows an insert into a view may connect. */
export function relatedConnects(view: TableView, allows: Allows): readonly RelatedConnects[] {
  return tableRelationships(view)
    .filter(([, relationship]) => mayConnect(view.insert, relationship, allows))
    .map(([name, relationship]) => ({ name, relationship, creates: allows(relationship.target().insert) }));
}

type Kinds = Omit<RelatedWrites, "name" | "relationship">;

function writesOf(view: TableView, relationship: Relationship, allows: Allows): Kinds {
  const { kind, join, target } = relationship;
  const { insert, update, delete: remove } = target();
  const connect = mayConnect(view.update, relationship, allows);
  if (kind === "array") {
    return {
      update: allows(update),
      delete: allows(remove),
      insert: isJoinedAfter(join) && allows(insert),
      connect,
      disconnect: connect && areNullable(update, join),
    };
  }
  // Without a key in the join, the related row is not determined.
  const isInserted = join.unique && allows(insert);
  const isReferenced = join.insert?.order === "before" && maySetJoined(view.update, join);
  return {
    update: join.unique && allows(update),
    delete: join.unique && allows(remove) && (isJoinedAfter(join) || mayRelease(view.update, join)),
    insert: isInserted && (isJoinedAfter(join) || isReferenced),
    connect,
    disconnect: false,
  };
}

/** Returns true if rows of the other table reference the first rows. */
export const isJoinedAfter = ({ insert }: Join): boolean => insert?.order === "after" && insert.copies.length > 0;

/** A permission whose statements set columns. */
type Setting = Pick<UpdatePermission, "columns" | "presets" | "validation"> & { readonly parents?: readonly Setting[] };

/**
 * Returns true if a role may make existing rows related rows. Rows that reference the first row are updated; otherwise
 * the first row copies the key of a row that the role may read. A webhook would not see the values.
 * @param own permission of the statement that writes the first row
 */
function mayConnect(own: Setting | undefined, { kind, join, target }: Relationship, allows: Allows): boolean {
  if (kind === "object" && !join.unique) return false;
  const { update, columns } = target();
  if (isJoinedAfter(join)) return allows(update) && mayChoose(update, join);
  return kind === "object" && join.insert?.order === "before" && mayChoose(own, join) && areReadable(columns, join);
}

/** Returns true if a role may set the foreign key of the first row to null, so that its related row can be deleted. */
const mayRelease = (own: UpdatePermission | undefined, join: Join): own is UpdatePermission =>
  join.insert?.order === "before" && own !== undefined && mayChoose(own, join) && areNullable(own, join);

const mayChoose = (permission: Setting | undefined, join: Join): boolean =>
  permission?.validation === undefined && maySetJoined(permission, join);

/** Returns true if a statement may set all joined columns of the second row. Presets are not set by requests. */
export function maySetJoined(permission: Setting | undefined, join: Join): boolean {
  const joined = joinedColumns(join);
  if (permission === undefined || joined.length === 0) return false;
  const listed = new Set(permission.columns.map(({ sql }) => sql));
  const preset = new Set(permission.presets.map(({ column }: Preset) => column));
  return (
    joined.every(({ sql }) => listed.has(sql) && !preset.has(sql)) && permissionsFor(permission, joined).length > 0
  );
}

/** Returns true if the role may read the copied columns in all rows that it may read. */
function areReadable(columns: readonly Column[], { insert }: Join): boolean {
  const readable = new Set(columns.flatMap(({ sql, visible }) => (visible ? [] : [sql])));
  return (insert?.copies ?? []).every(({ from }) => readable.has(from));
}

function areNullable(permission: UpdatePermission | undefined, join: Join): boolean {
  const joined = new Set(joinedColumns(join).map(({ sql }) => sql));
  return permission?.columns.every(({ sql, nullable }) => nullable || !joined.has(sql)) === true;
}

/** Returns the columns that are set when two rows are joined, by quoted name. */
const joinedColumns = ({ insert }: Join): readonly { readonly sql: string }[] =>
  (insert?.copies ?? []).map(({ to }) => ({ sql: to }));
