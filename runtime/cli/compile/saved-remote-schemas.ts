/**
 * Reads saved introspections of remote schemas: `remote-schemas.json` beside the metadata, an object of introspection
 * results (`__schema`) by the names of the remote schemas.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { readRemoteShape } from "../../../compiler/1-introspect/read-remote-shape.ts";
import type { JsonObject } from "../../../compiler/catalog/model.ts";
import type { RemoteSchema } from "../../../compiler/catalog/outside-sources.ts";
import type { RemoteIntrospection } from "../../../compiler/shape/remote-shape.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";

/** @param metadata a metadata directory, or one file */
export const remoteSchemasFile = (metadata: string): string => join(dirname(resolve(metadata)), "remote-schemas.json");

/**
 * Reads saved introspection results; none without a file. Remote schemas without an entry become inconsistent.
 * @throws EngineError if the file is not JSON of this form
 */
export async function savedRemoteIntrospections(
  metadata: string,
  remoteSchemas: readonly RemoteSchema[],
): Promise<ReadonlyMap<string, RemoteIntrospection>> {
  const file = remoteSchemasFile(metadata);
  if (remoteSchemas.length === 0 || !existsSync(file)) return new Map();
  const saved = parsed(file, await readFile(file, "utf8"));
  return new Map(
    remoteSchemas.map(({ name }) => {
      const found = Object.hasOwn(saved, name) ? saved[name] : undefined;
      if (isObject(found)) return [name, readRemoteShape(found as JsonObject)];
      return [name, { error: { message: `${file} has no introspection of remote schema ${name}` } }];
    }),
  );
}

function parsed(file: string, text: string): Readonly<Record<string, unknown>> {
  try {
    const json: unknown = JSON.parse(text);
    if (isObject(json)) return json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new EngineError("parse-failed", "$", `${file} is not a JSON object`);
}
