/** A role's schema and what answers its root fields → a schema that any GraphQL executor can run. */
import { makeExecutableSchema } from "@graphql-tools/schema";
import {
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import { reachableTypes } from "../schema/reachable-types.ts";
import type { RoleSchema } from "../schema/role-schema.ts";
import { printSchema } from "../schema/sdl.ts";
import type { ObjectTypeDef, OutputMeta } from "../schema/types.ts";
import { atOnce } from "../values/interruptible.ts";
import { isObject } from "../values/is-object.ts";

/** What runs the root fields of an execution; both reject with errors for its answer. */
export interface RootFieldRunner<Result> {
  /** The value of a field of a query or mutation. */
  run(context: unknown, info: GraphQLResolveInfo): Promise<unknown>;
  /** The results of a field of a subscription. */
  subscribe(context: unknown, info: GraphQLResolveInfo): Promise<AsyncIterator<Result>>;
  /** The value of a field in such a result. */
  valueOf(result: Result, info: GraphQLResolveInfo): unknown;
}

/** The directive that schemas have besides those of the language. */
const ownDirective = "directive @cached(ttl: Int! = 60, refresh: Boolean! = false) on QUERY\n";

export function executableSchema<Result>(schema: RoleSchema, runner: RootFieldRunner<Result>): GraphQLSchema {
  const { query, mutation, subscription } = schema;
  const resolve: Resolver = (_source, _args, context, info) => runner.run(context, info);
  const streamed = {
    subscribe: ((_source, _args, context, info) => runner.subscribe(context, info)) satisfies Resolver,
    resolve: ((result: Result, _args, _context, info) => runner.valueOf(result, info)) satisfies GraphQLFieldResolver<
      Result,
      unknown
    >,
  };
  const executable = makeExecutableSchema({
    typeDefs: `${printSchema(schema)}${ownDirective}`,
    resolvers: {
      ...fieldsOf(query, resolve),
      ...(mutation && fieldsOf(mutation, resolve)),
      ...(subscription && fieldsOf(subscription, streamed)),
    },
    resolverValidationOptions: { requireResolversToMatchSchema: "error" },
  });
  const hidden = new Set(hiddenAtTimes(schema));
  for (const type of nestedTypes(executable)) {
    for (const field of Object.values(type.getFields())) {
      field.resolve = byResponseKey;
      if (hidden.has(`${type.name}.${field.name}`)) field.type = getNullableType(field.type);
    }
  }
  return executable;
}

/**
 * Fields that are null where the permission hides a value that the database has: the schema promises them, as clients of
 * the engine are used to, but executors would answer with an error in place of all that is around.
 */
function* hiddenAtTimes(schema: RoleSchema): Iterable<string> {
  for (const type of atOnce(reachableTypes(schema)).values()) {
    if (type.kind !== "object") continue;
    for (const [name, { meta }] of type.fields()) if (mayBeHidden(meta)) yield `${type.name}.${name}`;
  }
}

function mayBeHidden(meta: OutputMeta): boolean {
  if (meta.kind === "column") return meta.column.visible !== undefined;
  if (meta.kind !== "relationship" || meta.relationship.kind !== "object") return false;
  return meta.relationship.target().visible !== undefined;
}

type Resolver = GraphQLFieldResolver<unknown, unknown>;

function fieldsOf<R>({ name, fields }: ObjectTypeDef, resolver: R): Record<string, Record<string, R>> {
  return { [name]: Object.fromEntries([...fields().keys()].map((field) => [field, resolver])) };
}

/** What a database built has the keys that the operation names, which aliases may have changed. */
const byResponseKey: Resolver = (source, _args, _context, { path }) => isObject(source) && source[path.key];

/** All object types but those that operations begin with. */
function nestedTypes(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  return Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !roots.has(type) && !isIntrospectionType(type));
}
