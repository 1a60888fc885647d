/** Reads the GraphQL schema of a role and the saved operations, from a server or from metadata files. */
import {
  buildClientSchema,
  buildSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from "graphql";
import type { SavedQuery } from "../../../compiler/2-analyze/analysis.ts";
import { savedOperations } from "../../../compiler/2-analyze/saved-operations.ts";
import { emptyCatalog } from "../../../compiler/catalog/catalog.ts";
import type { Json } from "../../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../../compiler/catalog/upgrade.ts";
import type { Environment } from "../../config/options.ts";
import { noQueriesField } from "../../model/schema/role-schema.ts";
import { EngineError } from "../../values/errors.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { type AnalyzedInput, type AnalyzedProgram, analyzeInput, leftOutProblems } from "../compile/analyze-input.ts";
import { diagnosticProblem, type Problem } from "../problem.ts";
import { exportedBy, withServer } from "../project/client.ts";
import type { Settings } from "../project/settings.ts";

export interface SchemaOfRole {
  readonly role: string;
  readonly schema: GraphQLSchema;
  readonly savedOperations: readonly SavedQuery[];
}

/** Returns schemas of one state of the metadata. */
export interface SchemaSource {
  /** @throws EngineError for a role without permissions */
  of(role: string): Promise<SchemaOfRole>;
  /** Objects that the schemas lack. */
  readonly warnings: readonly Problem[];
}

/**
 * Reads the metadata of a server. Its schemas are introspected on use.
 * @throws EngineError if the server is unreachable, or refuses the admin secret or the introspection
 */
export function schemasOfServer(settings: Settings): Promise<SchemaSource> {
  return withServer(settings, async (call) => {
    const { metadata } = await exportedBy(call);
    const read = readMetadataDocument(metadata, emptyCatalog);
    if (!read.ok)
      throw new EngineError(read.error.code, read.error.path, diagnosticProblem(read.error, (path) => path).line);
    const saved = [...savedOperations(read.value.query_collections).values()];
    const roles = rolesIn(metadata);
    return {
      warnings: [],
      of: (role) =>
        withServer(settings, async (_call, _dump, run) => {
          const introspection = await run(role, getIntrospectionQuery({ oneOf: true }));
          const schema = buildClientSchema(introspection as unknown as IntrospectionQuery, { assumeValid: true });
          return checkedRole({ role, schema, savedOperations: saved }, roles);
        }),
    };
  });
}

/**
 * Analyses metadata files and Shapes. Returns one line for each problem instead, if the metadata is invalid.
 * @throws EngineError if files or the database cannot be read
 */
export async function schemasOfFiles(
  input: AnalyzedInput,
  environment: Environment,
): Promise<SchemaSource | { readonly problems: readonly Problem[] }> {
  const analyzed = await analyzeInput({ ...input, allowInconsistent: true }, environment);
  if ("problems" in analyzed) return analyzed;
  return { warnings: leftOutProblems(analyzed, input.metadata), of: async (role) => schemaIn(analyzed, role) };
}

function schemaIn({ planned, program }: AnalyzedProgram, role: string): SchemaOfRole {
  const { text } = planned.file(planned.roleSchema(role));
  const schema = buildSchema(text, { assumeValid: true, assumeValidSDL: true });
  return checkedRole({ role, schema, savedOperations: [...program.savedOperations()] }, program.roles());
}

function checkedRole(found: SchemaOfRole, roles: readonly string[]): SchemaOfRole {
  const { role, schema } = found;
  const queries = Object.keys(schema.getQueryType()?.getFields() ?? {}).filter((name) => name !== noQueriesField);
  if (queries.length > 0 || schema.getMutationType() || schema.getSubscriptionType()) return found;
  const hint = didYouMean(role, roles) ?? `the metadata has ${[...roles].sort().join(", ")}`;
  throw new EngineError("not-found", "$", `role ${JSON.stringify(role)} has no permissions: ${hint}`);
}

/** Returns the names of roles that have permissions in metadata. */
function rolesIn(metadata: Json): readonly string[] {
  const found = new Set(["admin"]);
  const visit = (value: Json): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if ((key === "role" || key === "role_name") && typeof member === "string") found.add(member);
      else if (member !== undefined) visit(member);
    }
  };
  visit(metadata);
  return [...found];
}
