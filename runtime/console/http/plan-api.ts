/** Client of `plan_metadata`, which previews the effect of operations. */
import { type Operation, runOperation } from "./metadata-api.ts";
import type { JsonObject, QualifiedName } from "./metadata-types.ts";

export interface AccessChange {
  readonly role?: string;
  readonly area: string;
  readonly subject: string;
  readonly aspect: string;
  readonly name?: string;
  readonly kind: "added" | "removed" | "changed";
  readonly before?: string;
  readonly after?: string;
  readonly effect: "widens" | "may widen" | "narrows" | "none";
}

export interface ModuleChange {
  readonly path: string;
  readonly kind: "added" | "removed" | "changed";
  readonly before?: string | null;
  readonly after?: string | null;
}

/** A changed part of the metadata: a table, a source without its tables, or the rest. */
export interface PartChange {
  /** `null` for the part outside sources. */
  readonly source: string | null;
  readonly table: QualifiedName | null;
  /** `null` if the part does not exist; absent in long responses. */
  readonly before?: JsonObject | null;
  readonly after?: JsonObject | null;
}

export interface MetadataPlan {
  readonly resource_version: number;
  readonly summary: { readonly widens: number; readonly may_widen: number };
  readonly access: readonly AccessChange[];
  readonly metadata: readonly PartChange[];
  readonly modules: readonly ModuleChange[];
  /** Number of inconsistent objects after the operations. */
  readonly inconsistent: number;
}

/**
 * Returns the effect of operations without applying them.
 * @param roles roles to compare; roles that inherit from them are included. All roles by default
 * @throws ApiError the error with which the server would reject the operations
 */
export const planMetadata = (operations: readonly Operation[], roles?: readonly string[]): Promise<MetadataPlan> =>
  runOperation({ type: "plan_metadata", args: { operations, ...(roles && { roles }) } }, undefined, true);
