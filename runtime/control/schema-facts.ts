/** The facts that explain root fields, from the schemas and the analysis of a generation. */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import type { RequestRules } from "../../compiler/access/explain-limits.ts";
import type { SchemaFacts } from "../../compiler/access/explain-root.ts";
import { ownerOf, type RootOperation } from "../../compiler/access/root-owner.ts";
import { rootsOfSchema } from "../../compiler/access/schema-reader.ts";
import { roleFacts } from "../../compiler/access/table-facts.ts";
import { tableOfOwner, tableReader } from "../../compiler/access/table-reader.ts";
import type { Generation } from "../execute/generation.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";
import type { ObjectTypeDef, OutputField } from "../model/schema/types.ts";
import type { Session } from "../values/session.ts";
import { limitsOf } from "./role-limits.ts";

export function schemaFacts(
  analysis: Analysis,
  generation: Generation,
  session: Pick<Session, "role" | "backendOnly">,
): SchemaFacts {
  const { role, backendOnly } = session;
  const admin = generation.schemaOf({ role: "admin", backendOnly: true });
  return {
    action: { role, variant: backendOnly ? "backend" : "frontend" },
    role: roleFacts(analysis, role),
    own: rootsOfSchema(generation.schemaOf(session)),
    admin: rootsOfSchema(admin),
    owner(operation, path) {
      const field = fieldAt(admin, operation, path);
      return field && ownerOf(field);
    },
    table(owner) {
      const found = tableOfOwner(analysis, owner);
      return found && tableReader(analysis, found.source, found.table, role);
    },
  };
}

function fieldAt(schema: RoleSchema, operation: RootOperation, path: readonly string[]): OutputField | undefined {
  const fields = (type: ObjectTypeDef | null) => type?.fields() ?? new Map<string, OutputField>();
  const [first = "", ...rest] = path;
  return rest.reduce<OutputField | undefined>(
    (field, name) => (field?.meta.kind === "namespace" ? fields(field.type() as ObjectTypeDef).get(name) : undefined),
    fields(schema[operation]).get(first),
  );
}

/** Returns the rules for all requests of a role. */
export function requestRules({ catalog }: Analysis, { guard }: Generation, role: string): RequestRules {
  const operations = guard.allowedCollections(role)?.flatMap((collection) => {
    const found = catalog.query_collections.find(({ name }) => name === collection);
    return (found?.definition.queries ?? []).map(({ name }) => `${collection}.${name}`);
  });
  return { limits: limitsOf(catalog, role), ...(operations && { onlySaved: operations }) };
}
