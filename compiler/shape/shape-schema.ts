/** Schema of shapes read from a file or the metadata database, which are validated completely before use. */
import * as z from "zod";
import type { DatabaseFact, Definitions } from "../../runtime/values/database-fact.ts";
import type { IndexFact, OwnerFunction, ReviewFacts } from "./review-facts.ts";
import type {
  ColumnShape,
  EnumValueShape,
  ForeignKeyShape,
  FunctionShape,
  KeyShape,
  Shape,
  TableShape,
  TypeOperators,
  TypeRef,
  UniqueIndexShape,
} from "./shape.ts";

/** An object with exactly the keys of `T`, including optional ones: a key without a schema does not compile. */
const objectOf =
  <T>() =>
  <Fields extends { readonly [Key in keyof T]-?: z.ZodType }>(fields: Fields) =>
    z.strictObject(fields);

const name = z.string();
const names = z.array(name);
const comment = z.string().nullable();
const qualifiedName = z.strictObject({ schema: name, name });
const keyMembers = { name, columns: names, isNoArbiter: z.literal(true).exactOptional() };
const key = objectOf<KeyShape>()(keyMembers);
const uniqueIndex = objectOf<UniqueIndexShape>()({
  ...keyMembers,
  elements: names.exactOptional(),
  condition: z.string().exactOptional(),
});
const id = z.number();

/** An identifier in SQL. */
const sqlName = String.raw`(?:[A-Za-z_][\w$]*|"(?:[^"\0]|"")+")`;
/** Type names with several words. */
const wordyTypes = [
  ...["double precision", "character varying", "bit varying"],
  "(?:time|timestamp)(?:\\(\\d+\\))? (?:with|without) time zone",
];
const size = String.raw`(?:\((?:max|\d+(?:, ?\d+)?)\))?`;
const typeText = new RegExp(`^(?:${wordyTypes.join("|")}|${sqlName}(?:\\.${sqlName})?)${size}(?:\\[\\])*$`);

/** These texts are inserted into statements verbatim, so a stored shape must contain only names, not other SQL. */
const sqlType = z.string().regex(typeText, "this is not the name of a type");
const sqlSchema = z.string().regex(new RegExp(`^${sqlName}$`), "this is not the name of a schema");
const operatorName = z.string().regex(/^[-+*/<>=~!@#%^&|`?]+$/, "this is not an operator");

const typeRef: z.ZodType<TypeRef> = z.lazy(() =>
  objectOf<TypeRef>()({
    schema: name,
    name,
    sql: sqlType,
    category: z.enum(["base", "enum", "composite", "domain", "range", "pseudo"]),
    element: typeRef.exactOptional(),
    base: typeRef.exactOptional(),
    operators: objectOf<TypeOperators>()({ schema: sqlSchema, names: z.array(operatorName) }).exactOptional(),
    ownedByOthers: z.literal(true).exactOptional(),
    holdsJson: z.literal(true).exactOptional(),
    collation: z.string().regex(/^\w+$/, "this is not the name of a collation").exactOptional(),
  }),
);

const column = objectOf<ColumnShape>()({
  name,
  position: z.number(),
  type: typeRef,
  nullable: z.boolean(),
  hasDefault: z.boolean(),
  identity: z.enum(["always", "by_default"]).nullable(),
  generated: z.boolean(),
  virtual: z.string().exactOptional(),
  readsData: z.literal(true).exactOptional(),
  comment,
});

const distribution = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("reference") }),
  z.strictObject({ kind: z.literal("distributed"), column: name.exactOptional(), colocation: z.number() }),
]);

const table = objectOf<TableShape>()({
  schema: name,
  name,
  id,
  kind: z.enum(["table", "view", "materialized_view", "foreign_table", "partitioned_table"]),
  comment,
  columns: z.array(column),
  primaryKey: key.nullable(),
  uniqueKeys: z.array(key),
  uniqueIndexes: z.array(uniqueIndex).exactOptional(),
  foreignKeys: z.array(
    objectOf<ForeignKeyShape>()({
      name,
      id,
      columns: names,
      foreignTable: qualifiedName,
      foreignColumns: names,
      isUnchecked: z.literal(true).exactOptional(),
    }),
  ),
  insertable: z.boolean(),
  updatable: z.boolean(),
  deletable: z.boolean(),
  enumValues: z.array(objectOf<EnumValueShape>()({ value: z.string(), comment })).exactOptional(),
  statementTriggers: z.literal(true).exactOptional(),
  insertTriggers: z.literal(true).exactOptional(),
  isPartition: z.literal(true).exactOptional(),
  inherits: z.literal(true).exactOptional(),
  hidesRows: z.literal(true).exactOptional(),
  distribution: distribution.exactOptional(),
});

const databaseFunction = objectOf<FunctionShape>()({
  schema: name,
  name,
  id,
  comment,
  volatility: z.enum(["immutable", "stable", "volatile"]),
  strict: z.boolean(),
  variadic: z.boolean(),
  returnsSet: z.boolean(),
  returns: typeRef,
  returnsTable: qualifiedName.nullable(),
  readsDistributed: z.enum(["sql", "other"]).exactOptional(),
  isOnlyLocal: z.literal(true).exactOptional(),
  columns: z.array(z.strictObject({ name, type: typeRef })).exactOptional(),
  arguments: z.array(
    objectOf<FunctionShape["arguments"][number]>()({
      name: name.nullable(),
      type: typeRef,
      hasDefault: z.boolean(),
      table: qualifiedName.nullable(),
    }),
  ),
});

const type = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("enum"), schema: name, name, values: names }),
  z.strictObject({
    kind: z.literal("composite"),
    schema: name,
    name,
    fields: z.array(z.strictObject({ name, type: typeRef })),
  }),
  z.strictObject({ kind: z.literal("domain"), schema: name, name, base: typeRef }),
  z.strictObject({ kind: z.literal("range"), schema: name, name, subtype: typeRef }),
]);

const fact = objectOf<DatabaseFact>()({
  object: z.tuple([name, name]).readonly(),
  part: names,
  value: z.string(),
  isOptional: z.boolean().exactOptional(),
});

const review = objectOf<ReviewFacts>()({
  indexes: z.array(
    objectOf<IndexFact>()({
      table: qualifiedName,
      name,
      columns: names,
      condition: z.string().exactOptional(),
      collation: name.exactOptional(),
      operatorClass: name.exactOptional(),
    }),
  ),
  ownerFunctions: z.array(objectOf<OwnerFunction>()({ schema: name, name, id, user: name.exactOptional() })),
});

export const shapeSchema: z.ZodType<Shape> = objectOf<Shape>()({
  format: z.literal(1),
  kind: z.enum(["postgres", "mssql"]),
  serverVersion: z.string(),
  tables: z.array(table),
  functions: z.array(databaseFunction),
  types: z.array(type),
  converted: names.exactOptional(),
  citus: z.strictObject({ version: z.string() }).exactOptional(),
  definitions: objectOf<Definitions>()({ serverVersion: z.string(), facts: z.array(fact) }).exactOptional(),
  review: review.exactOptional(),
});
