/** The objects of the metadata that root fields belong to. */
import type { TableView } from "../../runtime/model/definitions/view.ts";
import type { RoleSchema } from "../../runtime/model/schema/role-schema.ts";
import type { ObjectTypeDef, OutputField } from "../../runtime/model/schema/types.ts";
import type { PermissionKind } from "../catalog/model.ts";

export const rootOperations = ["query", "mutation", "subscription"] as const;
export type RootOperation = (typeof rootOperations)[number];

export type RootOwner =
  | {
      readonly kind: "table";
      readonly source: string;
      /** GraphQL base name of the table. */
      readonly type: string;
      /** Kind of the root field: `select_by_pk`. */
      readonly root: string;
    }
  | { readonly kind: OtherOwner; readonly name: string };

type OtherOwner = "function" | "action" | "remote schema" | "native query";

/** Returns the owner of a root field; `undefined` for namespaces and fields of the engine. */
export function ownerOf({ meta }: OutputField): RootOwner | undefined {
  if (!("root" in meta) || meta.root === undefined) return undefined;
  const root = meta.root as RootParts;
  if (root.function) return { kind: "function", name: root.function.function.displayName };
  if (root.action) return { kind: "action", name: root.action().name };
  if (root.remote) return { kind: "remote schema", name: root.remote().name };
  if (!root.view || root.kind === "node") return undefined;
  const { table } = root.view();
  if (table.query) return { kind: "native query", name: table.displayName };
  return { kind: "table", source: table.source.name, type: table.type, root: root.kind };
}

/** Members of all kinds of root fields. */
interface RootParts {
  readonly kind: string;
  readonly view?: () => TableView;
  readonly function?: { readonly function: { readonly displayName: string } };
  readonly action?: () => { readonly name: string };
  readonly remote?: () => { readonly name: string };
}

/** Yields the root fields of a schema by operation and path, such as `query.loan`, with their owners. */
export function* rootOwners(schema: RoleSchema): Iterable<readonly [string, RootOwner]> {
  for (const operation of rootOperations) yield* ownersIn(schema[operation], operation);
}

function* ownersIn(type: ObjectTypeDef | null, path: string): Iterable<readonly [string, RootOwner]> {
  for (const [name, field] of type?.fields() ?? []) {
    const owner = ownerOf(field);
    if (owner) yield [`${path}.${name}`, owner];
    else if (field.meta.kind === "namespace") yield* ownersIn(field.type() as ObjectTypeDef, `${path}.${name}`);
  }
}

const writes = ["insert", "update", "delete"] as const;

/** Returns the operation whose permission a root field of a table needs. */
export const operationOfRoot = (root: string): PermissionKind =>
  writes.find((operation) => root.startsWith(operation)) ?? "select";
