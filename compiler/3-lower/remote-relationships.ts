/** Lowers remote relationships of tables, remote schemas and action outputs to IR. */
import type { SourceKind } from "../catalog/model.ts";
import { dialectOf } from "../dialects/index.ts";
import type { JoinKeyIr, RemoteRelationshipIr, ToRemoteSchemaIr, ToSourceIr } from "./ir.ts";
import type {
  JoinKeyInputs,
  RemoteRelationshipInputs,
  ToRemoteSchemaInputs,
  ToSourceInputs,
} from "./remote-relationship-inputs.ts";
import { label } from "./table-names.ts";

/** @param kind the kind of source of the left-hand table; absent if the left side is not a table */
export function lowerRemoteRelationships(
  inputs: readonly RemoteRelationshipInputs[],
  kind?: SourceKind,
): readonly RemoteRelationshipIr[] {
  return inputs.map(({ name, to }) => {
    if (to.kind === "source") return { name, comment: sourceReason(to), to: lowerToSource(to, kind) };
    return { name, comment: remoteReason(to), to: lowerToRemoteSchema(to, kind) };
  });
}

function lowerToSource({ targetKind, columns, ...to }: ToSourceInputs, kind: SourceKind | undefined): ToSourceIr {
  const dialect = dialectOf(targetKind);
  return {
    ...to,
    columns: columns.map(({ key, column, type }) => ({
      key: lowerKey(key, kind),
      sql: dialect.runtime.dialect.quoteIdentifier(column),
      type: dialect.scalarCall(type),
    })),
  };
}

function lowerToRemoteSchema({ keys, ...to }: ToRemoteSchemaInputs, kind: SourceKind | undefined): ToRemoteSchemaIr {
  return { ...to, keys: keys.map((key) => lowerKey(key, kind)) };
}

function lowerKey({ name, value }: JoinKeyInputs, kind: SourceKind | undefined): JoinKeyIr {
  if (value === undefined || kind === undefined) return { name };
  if (value.kind === "computed") return { name, value: { kind: "computed", name } };
  if (value.field !== null) return { name, value: { kind: "column", name: value.field } };
  const dialect = dialectOf(kind);
  const sql = dialect.runtime.dialect.quoteIdentifier(name);
  return { name, value: { kind: "unnamed", sql, type: dialect.scalarCall(value.type) } };
}

function sourceReason({ columns, target }: ToSourceInputs): string {
  const local = columns.map(({ key }) => key.name).join(", ");
  const remote = columns.map(({ column }) => column).join(", ");
  return `Joins ${local} to ${remote} of ${label(target)} (source ${target.source}).`;
}

function remoteReason({ path, remote }: ToRemoteSchemaInputs): string {
  return `Joins field ${path.map(({ field }) => field).join(".")} of remote schema ${remote}.`;
}
