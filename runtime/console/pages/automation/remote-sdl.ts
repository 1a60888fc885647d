/** SDL of an introspected schema. A file of its own, because the whole of graphql-js would be part of the first page. */
import { buildClientSchema, type IntrospectionQuery, printSchema } from "graphql";

export const sdlOf = (introspection: IntrospectionQuery): string =>
  printSchema(buildClientSchema(introspection, { assumeValid: true }));
