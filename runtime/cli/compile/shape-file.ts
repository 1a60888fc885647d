/** Reads and writes saved Shapes: a JSON file with the Shape of the only source, or an object of Shapes by source. */

import { readFile } from "node:fs/promises";
import * as z from "zod";
import type { Shape } from "../../../compiler/shape/shape.ts";
import { shapeSchema } from "../../../compiler/shape/shape-schema.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import { messageOf } from "../../values/message-of.ts";
import { replaceFile } from "../project/replace-file.ts";

const shapesSchema = z.record(z.string(), shapeSchema);

/** The Shapes of a file: Shapes by source, or a single Shape without the name of its source. */
export type SavedShapes =
  | { readonly kind: "one"; readonly shape: Shape }
  | { readonly kind: "by_source"; readonly shapes: ReadonlyMap<string, Shape> };

/** @throws EngineError if the file is missing, or not JSON, or not a Shape */
export async function readShapeFile(path: string): Promise<SavedShapes> {
  const json = parseJson(path, await textOf(path));
  const isOne = isObject(json) && "format" in json && !isObject(json.format);
  if (isOne) return { kind: "one", shape: shapeOf(path, shapeSchema.safeParse(json)) };
  return { kind: "by_source", shapes: new Map(Object.entries(shapeOf(path, shapesSchema.safeParse(json)))) };
}

/**
 * Writes the Shape of one source, or Shapes by source, atomically.
 * @throws EngineError if the file cannot be written
 */
export async function writeShapeFile(path: string, shape: Shape | Readonly<Record<string, Shape>>): Promise<void> {
  await replaceFile(path, `${JSON.stringify(shape, null, 2)}\n`);
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
    throw new EngineError("parse-failed", "$", `${path} is not valid JSON: ${messageOf(error)}`, { cause: error });
  }
}

function shapeOf<T>(path: string, result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.join(".")}`;
  throw new EngineError("parse-failed", "$", `${path} is not a valid shape${place}: ${issue?.message ?? ""}`);
}
