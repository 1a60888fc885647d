/**
 * Which engine made a schema, and what of it the schema shows. Stands in the schema's extensions, which tools that make
 * one schema out of others hand on.
 */
import type { GraphQLSchema } from "graphql";
import type { SchemaApi } from "../../model/schema/role-schema.ts";
import { isObject } from "../../values/is-object.ts";

export interface SchemaScope {
  /** One of its own for each engine. */
  readonly engine: symbol;
  readonly role: string;
  readonly api: SchemaApi;
}

const extension = "engineScope";

export function setScope(schema: GraphQLSchema, scope: SchemaScope): void {
  schema.extensions = { ...schema.extensions, [extension]: scope };
}

/** `undefined`: no engine made the schema, or what is left of it does not tell. */
export function scopeOf({ extensions }: GraphQLSchema): SchemaScope | undefined {
  const scope = extensions[extension];
  return isScope(scope) ? scope : undefined;
}

function isScope(value: unknown): value is SchemaScope & Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const { engine, role, api } = value;
  return typeof engine === "symbol" && typeof role === "string" && (api === "graphql" || api === "relay");
}
