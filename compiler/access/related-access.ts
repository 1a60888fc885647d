/** Describes the related rows that a role's updates and inserts may write, as its schema offers them. */
import {
  isJoinedAfter,
  maySetJoined,
  type RelatedConnects,
  type RelatedWrites,
  relatedConnects,
  relatedWrites,
} from "../../runtime/model/definitions/related-writes.ts";
import type { TablesByName } from "../../runtime/model/definitions/roots.ts";
import type { TableView } from "../../runtime/model/definitions/view.ts";
import type { ByName, RelatedAccess } from "./model.ts";

/** Writes of the rows related to those of one table, by relationship. */
export interface RelatedAccesses {
  readonly insert: ByName<RelatedAccess>;
  readonly update: ByName<RelatedAccess>;
}

/** Returns the related writes of a table by source, schema and name. */
export type ReadRelated = (source: string, schema: string, name: string) => RelatedAccesses | undefined;

/** Reads the related writes of a role's tables, including those that are for backends only. */
export function relatedReader(tables: TablesByName): ReadRelated {
  return (source, schema, name) => {
    const view = tables[source]?.[schema]?.[name]?.();
    return view && relatedAccesses(view);
  };
}

const exists = <T>(permission: T | undefined): permission is T => permission !== undefined;

function relatedAccesses(view: TableView): RelatedAccesses {
  const inserts = view.insert === undefined ? [] : relatedConnects(view, exists);
  const updates = view.update === undefined ? [] : relatedWrites(view, exists);
  return {
    insert: Object.fromEntries(inserts.map((connects) => [connects.name, { writes: kindsOfConnects(connects) }])),
    update: Object.fromEntries(updates.map((writes) => [writes.name, accessOfWrites(writes)])),
  };
}

const kindsOfConnects = ({ creates }: RelatedConnects): readonly string[] =>
  creates ? ["connect", "connect_or_create"] : ["connect"];

function accessOfWrites({ relationship, ...writes }: RelatedWrites): RelatedAccess {
  const { join, target } = relationship;
  // Inserted rows get the key of the updated row even if the insert permission does not list the column.
  const setsKey = writes.insert && isJoinedAfter(join) && !maySetJoined(target().insert, join);
  const kinds = (["connect", "delete", "disconnect", "insert", "update"] as const).filter((kind) => writes[kind]);
  return { writes: writes.disconnect ? [...kinds, "set"].sort() : kinds, ...(setsKey && { setsKey }) };
}
