/** A role's schema → one that any GraphQL executor can run: its SDL and the functions that its root fields are. */
import { makeExecutableSchema } from "@graphql-tools/schema";
import {
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNullableType,
  isIntrospectionType,
  isObjectType,
} from "graphql";
import type { RootCall } from "../../model/definitions/root-call.ts";
import { reachableTypes } from "../../model/schema/reachable-types.ts";
import type { RoleSchema } from "../../model/schema/role-schema.ts";
import { printSchema } from "../../model/schema/sdl.ts";
import type { ObjectTypeDef, OutputMeta } from "../../model/schema/types.ts";
import { invariant } from "../../values/errors.ts";
import { atOnce } from "../../values/interruptible.ts";
import { isObject } from "../../values/is-object.ts";

/** The directive that schemas have besides those of the language. */
const ownDirective = "directive @cached(ttl: Int! = 60, refresh: Boolean! = false) on QUERY\n";

export function executableSchema(schema: RoleSchema): GraphQLSchema {
  const { query, mutation, subscription } = schema;
  const executable = makeExecutableSchema({
    typeDefs: `${printSchema(schema)}${ownDirective}`,
    resolvers: {
      ...callsOf(query, (root) => ({ resolve: root })),
      ...(mutation && callsOf(mutation, (root) => ({ resolve: root }))),
      ...(subscription && callsOf(subscription, (root) => ({ resolve: root, subscribe: root.subscribe }))),
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

function callsOf<R>({ name, fields }: ObjectTypeDef, use: (root: RootCall) => R): Record<string, Record<string, R>> {
  const calls = [...fields()].map(([field, { meta }]) => {
    invariant("root" in meta && meta.root, `${name}.${field} is a root field`);
    return [field, use(meta.root)] as const;
  });
  return { [name]: Object.fromEntries(calls) };
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
