/** Client of `plan_metadata`, which previews the effect of operations. */
import { type Operation, runOperation } from "./metadata-api.ts";

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

export interface MetadataPlan {
  readonly resource_version: number;
  readonly summary: { readonly widens: number; readonly may_widen: number };
  readonly access: readonly AccessChange[];
  readonly modules: readonly ModuleChange[];
}

/**
 * Returns the effect of operations without applying them.
 * @param roles roles to compare; roles that inherit from them are included
 * @throws ApiError the error with which the server would reject the operations
 */
export const planMetadata = (operations: readonly Operation[], roles: readonly string[]): Promise<MetadataPlan> =>
  runOperation({ type: "plan_metadata", args: { operations, roles } });
