/**
 * Saved Shapes: one JSON file with the Shape of the only source, or an object of Shapes by the names of the sources.
 * `shape.json` beside the metadata is found by itself.
 */
import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as z from "zod";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { shapeSchema } from "../../../compiler/shape/shape-schema.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";

const shapesSchema = z.record(z.string(), shapeSchema);

/** The Shapes of a file: of several sources by name, or the one of whatever source there is. */
export type SavedShapes =
  | { readonly kind: "one"; readonly shape: Shape }
  | { readonly kind: "by_source"; readonly shapes: ReadonlyMap<string, Shape> };

/** @throws EngineError when the file is missing, no JSON, or no Shape */
export async function readShapeFile(path: string): Promise<SavedShapes> {
  const json = parseJson(path, await textOf(path));
  const isOne = isObject(json) && "format" in json && !isObject(json.format);
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
    await rm(temporary, { force: true }).catch(() => undefined);
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

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
