/** Metadata and a real database → loaded generated code that answers queries: everything but HTTP and the store. */
import { introspect } from "../../compiler/1-introspect/introspect.ts";
import type { Shape } from "../../compiler/1-introspect/shape.ts";
import { analyze } from "../../compiler/2-analyze/analyze.ts";
import { emptyCatalog } from "../../compiler/catalog/model.ts";
import { readMetadataDocument } from "../../compiler/catalog/upgrade.ts";
import type { Result } from "../../compiler/diagnostics/diagnostic.ts";
import { postgres } from "../../compiler/dialects/postgres/introspect.ts";
import { compile } from "../../compiler/index.ts";
import { graphqlService } from "../../runtime/execute/execute.ts";
import type { Generation } from "../../runtime/execute/generation.ts";
import { IntrospectionCache } from "../../runtime/execute/introspection.ts";
import { PlanCache } from "../../runtime/execute/plan-cache.ts";
import { CodeCache } from "../../runtime/load/code-cache.ts";
import { ModuleLoader } from "../../runtime/load/module-loader.ts";
import { openSource } from "../../runtime/sources/open-source.ts";
import type { DatabaseSource } from "../../runtime/sources/source.ts";
import * as support from "../../runtime/support/index.ts";
import type { RoleDefinition } from "../../runtime/support/roots.ts";
import { type RoleSchema, roleSchema } from "../../runtime/support/schema/role-schema.ts";

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.path}: ${result.error.message}`);
  return result.value;
}

export function openTestSource(url: string): DatabaseSource {
  const address = { name: "default", kind: "postgres", connectionInfo: { database_url: url } };
  return openSource(address, { variables: {} });
}

export function readShape(source: DatabaseSource): Promise<Shape> {
  return source.transaction({ readOnly: true }, (transaction) =>
    introspect(postgres, (text) => transaction.query({ text }, [])),
  );
}

const cache = new CodeCache();

/**
 * @param tables the `tables` of the source `default`
 * @param more other members of the metadata
 */
export function compileTables(
  source: DatabaseSource,
  shape: Shape,
  tables: readonly unknown[],
  more: Readonly<Record<string, unknown>> = {},
) {
  const configuration = { connection_info: { database_url: "postgres://unused" } };
  const metadata = { ...more, version: 3, sources: [{ name: "default", kind: "postgres", tables, configuration }] };
  const catalog = must(readMetadataDocument(metadata, emptyCatalog));
  const options = {
    environment: {},
    experimentalFeatures: new Set<string>(),
    defaultNamingConvention: "engine-default",
    inferFunctionPermissions: true,
  } as const;
  const analysis = must(analyze({ catalog, introspections: new Map([["default", { shape }]]), options }));
  const program = compile({ analysis });
  const loader = new ModuleLoader({ program, support, cache });
  const schemas = new Map<string, RoleSchema>();
  const generation: Generation = {
    resourceVersion: 1,
    schemaOf({ role }) {
      let schema = schemas.get(role);
      if (!schema) {
        const { role: definition } = loader.require(program.roleModule(role)) as { readonly role: RoleDefinition };
        schema = roleSchema(definition);
        schemas.set(role, schema);
      }
      return schema;
    },
    sdlOf: ({ role }) => program.module(program.roleSchema(role)).text,
    sources: new Map([["default", source]]),
    plans: new PlanCache(1000),
    introspections: new IntrospectionCache(),
  };
  const service = graphqlService(() => generation, {
    stringifyNumbers: false,
    nullCollapse: false,
    nullInNonNullable: false,
  });
  return {
    analysis,
    program,
    /** The parsed `data` of an answer; throws `EngineError` where a request would get an error. */
    async ask(
      role: string,
      query: string,
      session: Readonly<Record<string, string>> = {},
      variables: Readonly<Record<string, unknown>> | null = null,
    ): Promise<unknown> {
      const sender = { role, variables: new Map(Object.entries(session)), backendOnly: false };
      return JSON.parse(await service.execute({ query, operationName: null, variables }, sender));
    },
  };
}
