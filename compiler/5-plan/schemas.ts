/** `roles/<role>/schema.graphql` and its variants: the schemas of one role, printed from its modules as they are loaded. */
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

/** One of the files with a role's schema. */
export interface SchemaFile {
  readonly path: string;
  /** `null`: every role that nothing names. */
  readonly role: string | null;
  readonly variant: SchemaVariant;
  /** `subgraph`: as a gateway of Apollo federation gets it. */
  readonly form: SchemaApi | "subgraph";
}

export interface SchemaNeeds {
  /** Gateways of Apollo federation can ask for it. */
  readonly isSubgraph: boolean;
  /** Some permissions of the role are for backends only. */
  readonly hasBackend: boolean;
}

/** The schemas of a role; `null`: of every role that nothing names. */
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
  // What `_service` answers has no header.
  if (form === "subgraph") return printSubgraph(schema);
  const name = role === null ? "a role that the metadata does not name" : `role ${role}`;
  const from = `${name}${form === "relay" ? ": Relay API" : ""}${variant === "backend" ? ", for backends" : ""}`;
  const text = printSchema(schema);
  return headerText("#", { from, slice: textHash(text).slice(0, 8) }) + text;
}
