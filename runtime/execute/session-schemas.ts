/** The schemas that sessions saw before: most requests find theirs by the name of the role alone. */
import { LRUCache } from "lru-cache";
import type { RoleSchema, SchemaApi, SchemaVariant } from "../model/schema/role-schema.ts";
import type { SchemaUser } from "./generation.ts";

/** Sessions may name roles that nothing else does, as many as they like. */
const mostRoles = 1000;

export class SessionSchemas {
  readonly #find: (user: SchemaUser, api: SchemaApi) => RoleSchema;
  /** Made when first used: there is one for each generation, and most never see some of the variants. */
  readonly #known: Readonly<Record<SchemaApi, Variants>> = { graphql: noVariants(), relay: noVariants() };

  /** @param find works out the schema; the answer is kept */
  constructor(find: (user: SchemaUser, api: SchemaApi) => RoleSchema) {
    this.#find = find;
  }

  of(user: SchemaUser, api: SchemaApi): RoleSchema {
    const variants = this.#known[api];
    const variant = user.backendOnly ? "backend" : "frontend";
    let known = variants[variant];
    if (known === undefined) {
      known = new LRUCache({ max: mostRoles });
      variants[variant] = known;
    }
    let schema = known.get(user.role);
    if (schema === undefined) {
      schema = this.#find(user, api);
      known.set(user.role, schema);
    }
    return schema;
  }
}

type Variants = Record<SchemaVariant, LRUCache<string, RoleSchema> | undefined>;

const noVariants = (): Variants => ({ backend: undefined, frontend: undefined });
