/**
 * Decides which related rows an update may write with its own rows. Each kind of write needs the permission of the table
 * of those rows; a kind that sets the joined columns also needs these columns in the update permission.
 */

import { permissionsFor } from "./merged-permissions.ts";
import type { Join } from "./table.ts";
import { type Relationship, type TableView, tableRelationships } from "./view.ts";
import type { UpdatePermission } from "./write.ts";

/** The writes of one relationship that a role may request. */
export interface RelatedWrites {
  readonly name: string;
  readonly relationship: Relationship;
  readonly update: boolean;
  readonly delete: boolean;
  readonly insert: boolean;
  /** Makes existing rows rows of the updated row. */
  readonly connect: boolean;
  /** Sets the joined columns of related rows to null. */
  readonly disconnect: boolean;
}

/** Returns true if a permission exists and is part of the schema. */
type Allows = <T extends { readonly backendOnly: boolean }>(permission: T | undefined) => permission is T;

/** Returns the relationships whose rows an update of a view may write. */
export function relatedWrites(view: TableView, allows: Allows): readonly RelatedWrites[] {
  return tableRelationships(view)
    .map(([name, relationship]) => ({ name, relationship, ...writesOf(view, relationship, allows) }))
    .filter((writes) => writes.update || writes.delete || writes.insert || writes.connect);
}

type Kinds = Omit<RelatedWrites, "name" | "relationship">;

function writesOf(view: TableView, { kind, join, target }: Relationship, allows: Allows): Kinds {
  const { insert, update, delete: remove } = target();
  if (kind === "array") {
    const connect = isJoinedAfter(join) && allows(update) && !update.validation && maySetJoined(update, join);
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
    delete: false,
    insert: isInserted && (isJoinedAfter(join) || isReferenced),
    connect: false,
    disconnect: false,
  };
}

/** Returns true if rows of the other table reference the updated rows. */
export const isJoinedAfter = ({ insert }: Join): boolean => insert?.order === "after" && insert.copies.length > 0;

/** Returns true if a statement may set all joined columns of the second row. Presets are not set by requests. */
function maySetJoined(permission: UpdatePermission | undefined, join: Join): boolean {
  const joined = joinedColumns(join);
  if (permission === undefined || joined.length === 0) return false;
  const listed = new Set(permission.columns.map(({ sql }) => sql));
  const preset = new Set(permission.presets.map(({ column }) => column));
  return (
    joined.every(({ sql }) => listed.has(sql) && !preset.has(sql)) && permissionsFor(permission, joined).length > 0
  );
}

function areNullable({ columns }: UpdatePermission, join: Join): boolean {
  const joined = new Set(joinedColumns(join).map(({ sql }) => sql));
  return columns.every(({ sql, nullable }) => nullable || !joined.has(sql));
}

/** Returns the columns that are set when two rows are joined, by quoted name. */
const joinedColumns = ({ insert }: Join): readonly { readonly sql: string }[] =>
  (insert?.copies ?? []).map(({ to }) => ({ sql: to }));
