/** `roles/<role>/schema.graphql` and its variants for backends and the Relay API: the schema of one role. */
import { roleSchema, type SchemaVariant } from "../../runtime/support/schema/role-schema.ts";
import type { RoleSchemaIr } from "../3-lower/ir.ts";
import { dialectOf } from "../dialects/index.ts";
import { headerText } from "./comments.ts";
import { roleDefinition } from "./role-definition.ts";
import { printSchema, printSubgraph } from "./sdl.ts";

export function emitRoleSchema(variant: SchemaVariant): (parts: RoleSchemaIr, slice: string) => string {
  return (parts, slice) => {
    const { role } = parts.role;
    const name = role === null ? "a role that the metadata does not name" : `role ${role}`;
    const from = `${name}${parts.relay ? ": Relay API" : ""}${variant === "backend" ? ", for backends" : ""}`;
    const { definition, relay } = roleDefinition(parts, (source) => dialectOf(source.kind));
    return headerText("#", { from, slice }) + printSchema(roleSchema(definition, variant, relay));
  };
}

/** `schema.subgraph.graphql`: what `_service` answers, so it has no header. */
export function emitSubgraphSchema(variant: SchemaVariant): (parts: RoleSchemaIr) => string {
  return (parts) => {
    const { definition } = roleDefinition(parts, (source) => dialectOf(source.kind));
    return printSubgraph(roleSchema(definition, variant));
  };
}
