/**
 * Saved Shapes: one JSON file with the Shape of the only source, or an object of Shapes by the names of the sources.
 * `shape.json` beside the metadata is found by itself.
 */
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { Shape, TypeRef } from "../../../compiler/1-introspect/shape.ts";
import { EngineError } from "../../support/errors.ts";

const name = z.string();
const names = z.array(name);
const comment = z.string().nullable();
const qualifiedName = z.object({ schema: name, name });
const key = z.object({ name, columns: names });
const id = z.number();

const typeRef: z.ZodType<TypeRef> = z.lazy(() =>
  z.object({
    schema: name,
    name,
    sql: z.string(),
    category: z.enum(["base", "enum", "composite", "domain", "range", "pseudo"]),
    element: typeRef.exactOptional(),
    base: typeRef.exactOptional(),
  }),
);

const column = z.object({
  name,
  position: z.number(),
  type: typeRef,
  nullable: z.boolean(),
  hasDefault: z.boolean(),
  identity: z.enum(["always", "by_default"]).nullable(),
  generated: z.boolean(),
  comment,
});

const table = z.object({
  schema: name,
  name,
  id,
  kind: z.enum(["table", "view", "materialized_view", "foreign_table", "partitioned_table"]),
  comment,
  columns: z.array(column),
  primaryKey: key.nullable(),
  uniqueKeys: z.array(key),
  foreignKeys: z.array(z.object({ name, id, columns: names, foreignTable: qualifiedName, foreignColumns: names })),
  insertable: z.boolean(),
  updatable: z.boolean(),
  deletable: z.boolean(),
  enumValues: z.array(z.object({ value: z.string(), comment })).exactOptional(),
  isPartition: z.literal(true).exactOptional(),
});

const databaseFunction = z.object({
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
  arguments: z.array(
    z.object({ name: name.nullable(), type: typeRef, hasDefault: z.boolean(), table: qualifiedName.nullable() }),
  ),
});

const type = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("enum"), schema: name, name, values: names }),
  z.object({ kind: z.literal("composite"), schema: name, name, fields: z.array(z.object({ name, type: typeRef })) }),
  z.object({ kind: z.literal("domain"), schema: name, name, base: typeRef }),
  z.object({ kind: z.literal("range"), schema: name, name, subtype: typeRef }),
]);

const shapeSchema: z.ZodType<Shape> = z.object({
  format: z.literal(1),
  kind: z.enum(["postgres", "mssql"]),
  serverVersion: z.string(),
  tables: z.array(table),
  functions: z.array(databaseFunction),
  types: z.array(type),
});

const shapesSchema = z.record(z.string(), shapeSchema);

/** The Shapes of a file: of several sources by name, or the one of whatever source there is. */
export type SavedShapes =
  | { readonly kind: "one"; readonly shape: Shape }
  | { readonly kind: "by_source"; readonly shapes: ReadonlyMap<string, Shape> };

/** @throws EngineError when the file is missing, no JSON, or no Shape */
export async function readShapeFile(path: string): Promise<SavedShapes> {
  const json = parseJson(path, await textOf(path));
  const isOne = typeof json === "object" && json !== null && "format" in json && !isObject(json.format);
  if (isOne) return { kind: "one", shape: shapeOf(path, shapeSchema.safeParse(json)) };
  return { kind: "by_source", shapes: new Map(Object.entries(shapeOf(path, shapesSchema.safeParse(json)))) };
}

/** Writes one Shape, or nothing: the file is never half written. */
export async function writeShapeFile(path: string, shape: Shape): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, `${JSON.stringify(shape, null, 2)}\n`, { flag: "wx" });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new EngineError("unwritable", "$", `cannot write ${path}: ${messageOf(error)}`, { cause: error });
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new EngineError("not-found", "$", `cannot read the shape ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new EngineError("parse-failed", "$", `${path} is no JSON: ${messageOf(error)}`, { cause: error });
  }
}

function shapeOf<T>(path: string, result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new EngineError("parse-failed", "$", `${path} is no shape${place}: ${issue?.message ?? ""}`);
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
