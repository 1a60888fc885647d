/** Emits `roles/<role>/schema.graphql` and its variants from the loaded modules of a role. */
import type { RoleSchema, SchemaApi, SchemaVariant } from "../../runtime/model/schema/role-schema.ts";
import { printSchema, printSubgraph } from "../../runtime/model/schema/sdl.ts";
import { headerText } from "../4-emit/comments.ts";
import { textHash } from "../4-emit/manifest.ts";
import {
  backendRelaySchemaPath,
  backendSchemaPath,
  backendSubgraphSchemaPath,
  relaySchemaPath,
  schemaPath,
  subgraphSchemaPath,
} from "../4-emit/paths.ts";

/** A file with a schema of a role. */
export interface SchemaFile {
  readonly path: string;
  /** `null` for all roles that the metadata does not name. */
  readonly role: string | null;
  readonly variant: SchemaVariant;
  /** `subgraph` is the form for gateways of Apollo federation. */
  readonly form: SchemaApi | "subgraph";
}

export interface SchemaNeeds {
  /** True if Apollo federation is enabled. */
  readonly isSubgraph: boolean;
  /** True if the role has backend-only permissions. */
  readonly hasBackend: boolean;
}

/** @param role `null` for all roles that the metadata does not name */
export function schemaFiles(role: string | null, { isSubgraph, hasBackend }: SchemaNeeds): readonly SchemaFile[] {
  const frontend = { role, variant: "frontend" } as const;
  const files: SchemaFile[] = [
    { ...frontend, path: schemaPath(role), form: "graphql" },
    { ...frontend, path: relaySchemaPath(role), form: "relay" },
    ...(isSubgraph ? [{ ...frontend, path: subgraphSchemaPath(role), form: "subgraph" } as const] : []),
  ];
  if (role === null || !hasBackend) return files;
  const backend = { role, variant: "backend" } as const;
  return [
    ...files,
    { ...backend, path: backendSchemaPath(role), form: "graphql" },
    { ...backend, path: backendRelaySchemaPath(role), form: "relay" },
    ...(isSubgraph ? [{ ...backend, path: backendSubgraphSchemaPath(role), form: "subgraph" } as const] : []),
  ];
}

export function emitSchema({ role, variant, form }: SchemaFile, schema: RoleSchema): string {
  // The result of `_service` has no header.
  if (form === "subgraph") return printSubgraph(schema);
  const name = role === null ? "roles that the metadata does not name" : `role ${role}`;
  const from = `${name}${form === "relay" ? ": Relay API" : ""}${variant === "backend" ? ", for backends" : ""}`;
  const text = printSchema(schema);
  return headerText("#", { from, slice: textHash(text).slice(0, 8) }) + text;
}
