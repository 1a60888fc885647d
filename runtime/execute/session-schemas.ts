/** The schemas that sessions saw before: most requests find theirs by the name of the role alone. */
import { LRUCache } from "lru-cache";
import type { RoleSchema, SchemaApi } from "../support/schema/role-schema.ts";
import type { SchemaUser } from "./generation.ts";

/** Sessions may name roles that nothing else does, as many as they like. */
const mostRoles = 1000;

export class SessionSchemas {
  readonly #find: (user: SchemaUser, api: SchemaApi) => RoleSchema;
  readonly #known = { graphql: variants(), relay: variants() };

  /** @param find works out the schema; the answer is kept */
  constructor(find: (user: SchemaUser, api: SchemaApi) => RoleSchema) {
    this.#find = find;
  }

  of(user: SchemaUser, api: SchemaApi): RoleSchema {
    const known = this.#known[api][user.backendOnly ? "backend" : "frontend"];
    let schema = known.get(user.role);
    if (schema === undefined) {
      schema = this.#find(user, api);
      known.set(user.role, schema);
    }
    return schema;
  }
}

const variants = () => ({ backend: byRole(), frontend: byRole() });

const byRole = () => new LRUCache<string, RoleSchema>({ max: mostRoles });
