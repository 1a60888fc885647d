/** Operations that an event trigger listens to, in a fixed order. */
import { isObject } from "../../runtime/values/is-object.ts";
import type { ColumnList, EventTrigger, Json } from "./model.ts";

export type OperationName = "INSERT" | "UPDATE" | "DELETE";

export interface ListenedOperation {
  readonly operation: OperationName;
  /** An update must change at least one of these columns. */
  readonly columns: ColumnList;
  /** Columns that are delivered; `*` by default. */
  readonly payload: ColumnList;
}

const operations = { insert: "INSERT", update: "UPDATE", delete: "DELETE" } as const;

export function operationsOf({ definition }: Pick<EventTrigger, "definition">): readonly ListenedOperation[] {
  return Object.entries(operations).flatMap(([member, operation]) => {
    const spec = definition[member];
    if (!isObject(spec)) return [];
    const { columns, payload }: { columns?: Json; payload?: Json } = spec;
    return [{ operation, columns: columnList(columns), payload: columnList(payload) }];
  });
}

const columnList = (list: Json | undefined): ColumnList =>
  Array.isArray(list) ? list.filter((name) => typeof name === "string") : "*";
