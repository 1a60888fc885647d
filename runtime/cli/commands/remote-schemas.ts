/** `engine remote-schemas`: saves what the servers of remote schemas offer, for `compile` and `build` without a network. */
import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { nothingKnown } from "../../control/compile-state.ts";
import { RemoteSchemaRegistry } from "../../control/remote-schema-registry.ts";
import { EngineError } from "../../values/errors.ts";
import { readCatalog } from "../compile/read-catalog.ts";
import { remoteSchemasFile } from "../compile/saved-remote-schemas.ts";

export interface RemoteSchemasCommandOptions {
  readonly metadata: string;
  /** Unless given, `remote-schemas.json` beside the metadata. */
  readonly out?: string;
}

/**
 * Resolves to the exit code.
 * @throws EngineError when the metadata cannot be read, or a server does not answer: then nothing is written
 */
export async function remoteSchemasCommand({ metadata, out }: RemoteSchemasCommandOptions): Promise<number> {
  const files = await readCatalog(metadata);
  if ("diagnostic" in files) {
    const { code, path, message } = files.diagnostic;
    throw new EngineError(code, path, `${files.place(path)}: ${message}`);
  }
  const registry = new RemoteSchemaRegistry(process.env);
  try {
    const found = await registry.introspections(files.catalog, nothingKnown.remoteIntrospections);
    const saved = [...found].map(([name, { introspection }]) => {
      if ("shape" in introspection) return [name, introspection.shape.introspection] as const;
      throw new EngineError("remote-schema-error", "$", `remote schema ${name}: ${introspection.error.message}`);
    });
    const file = out ?? remoteSchemasFile(metadata);
    const temporary = `${file}.${randomUUID()}`;
    await writeFile(temporary, `${JSON.stringify(Object.fromEntries(saved), null, 2)}\n`, { flag: "wx" });
    await rename(temporary, file);
    process.stdout.write(`wrote ${file}: ${saved.length} remote schemas\n`);
    return 0;
  } finally {
    await registry.close();
  }
}
