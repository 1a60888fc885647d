/** Identity of a metadata object, used in dependencies and inconsistencies. */
import type { PermissionKind, QualifiedName } from "../catalog/model.ts";

type InSource = { readonly source: string };
type InTable = InSource & { readonly table: QualifiedName };

export type ObjectId =
  | ({ readonly kind: "source" } & InSource)
  | ({ readonly kind: "table" } & InTable)
  | ({ readonly kind: "column"; readonly column: string } & InTable)
  | ({ readonly kind: "foreign_key"; readonly constraint: string } & InTable)
  | ({ readonly kind: "object_relation" | "array_relation"; readonly name: string } & InTable)
  | ({ readonly kind: "permission"; readonly permission: PermissionKind; readonly role: string } & InTable)
  | ({ readonly kind: "computed_field" | "remote_relationship" | "event_trigger"; readonly name: string } & InTable)
  | ({ readonly kind: "function"; readonly function: QualifiedName } & InSource)
  | ({ readonly kind: "function_permission"; readonly function: QualifiedName; readonly role: string } & InSource)
  | ({ readonly kind: "native_query" | "logical_model" | "stored_procedure"; readonly name: string } & InSource)
  | ({
      readonly kind: "model_permission";
      /** Kind of the object in `name`. */
      readonly of: "logical_model" | "native_query";
      readonly name: string;
      readonly role: string;
    } & InSource)
  | { readonly kind: "remote_schema"; readonly name: string }
  | { readonly kind: "remote_schema_permission"; readonly name: string; readonly role: string }
  | {
      readonly kind: "remote_schema_relationship";
      readonly name: string;
      readonly type: string;
      readonly relationship: string;
    }
  | { readonly kind: "action"; readonly name: string }
  | { readonly kind: "action_permission"; readonly name: string; readonly role: string }
  | { readonly kind: "custom_types" }
  | { readonly kind: "cron_trigger"; readonly name: string }
  | { readonly kind: "rest_endpoint"; readonly name: string }
  | { readonly kind: "agent_tool"; readonly name: string }
  | { readonly kind: "collection_query"; readonly collection: string; readonly query: string }
  | { readonly kind: "inherited_role"; readonly role: string }
  | { readonly kind: "open_telemetry"; readonly part: "all" | "exporter_otlp" | "batch_span_processor" };

/** Properties that distinguish objects of one kind, in the order of the key. */
const parts = [
  "source",
  "table",
  "function",
  "column",
  "constraint",
  "permission",
  "of",
  "name",
  "type",
  "relationship",
  "collection",
  "query",
  "role",
  "part",
] as const;
type Part = string | QualifiedName | undefined;

/** Returns a unique string for an object, independent of the order of its properties. */
export function objectKey(id: ObjectId): string {
  const given: { readonly kind: string } & { readonly [P in (typeof parts)[number]]?: Part } = id;
  const values: string[] = [id.kind];
  for (const part of parts) {
    const value = given[part];
    if (typeof value === "string") values.push(value);
    else if (value !== undefined) values.push(value.schema, value.name);
  }
  return JSON.stringify(values);
}

/** `object` requires `on`. */
export interface Dependency {
  readonly object: ObjectId;
  readonly on: ObjectId;
  /** A static value depends on the column's type, which therefore must not change. */
  readonly onType?: true;
}
