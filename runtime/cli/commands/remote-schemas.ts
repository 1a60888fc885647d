/** `engine remote-schemas`: saves the introspection of remote schemas, for `compile` and `build` without a network. */
import { noIntrospections } from "../../control/compile-state.ts";
import { RemoteSchemaRegistry } from "../../control/remote-schema-registry.ts";
import { EngineError } from "../../values/errors.ts";
import { readCatalog } from "../compile/read-catalog.ts";
import { remoteSchemasFile } from "../compile/saved-remote-schemas.ts";
import { printResult } from "../project/output.ts";
import { replaceFile } from "../project/replace-file.ts";

export interface RemoteSchemasCommandOptions {
  readonly metadata: string;
  /** Default `remote-schemas.json` beside the metadata. */
  readonly out?: string;
}

/**
 * Resolves to the exit code.
 * @throws EngineError, without writing the file, if the metadata or the introspection of a remote schema cannot be read
 */
export async function remoteSchemasCommand({ metadata, out }: RemoteSchemasCommandOptions): Promise<number> {
  const files = await readCatalog(metadata);
  if ("diagnostic" in files) {
    const { code, path, message } = files.diagnostic;
    throw new EngineError(code, path, `${files.place(path)}: ${message}`);
  }
  const registry = new RemoteSchemaRegistry(process.env);
  try {
    const found = await registry.introspections(files.catalog, noIntrospections.remoteIntrospections);
    const saved = [...found].map(([name, { introspection }]) => {
      if ("shape" in introspection) return [name, introspection.shape.introspection] as const;
      throw new EngineError("remote-schema-error", "$", `remote schema ${name}: ${introspection.error.message}`);
    });
    const file = out ?? remoteSchemasFile(metadata);
    await replaceFile(file, `${JSON.stringify(Object.fromEntries(saved), null, 2)}\n`);
    printResult(`wrote ${file}: ${saved.length} remote schemas\n`, {
      out: file,
      remote_schemas: saved.map(([name]) => name),
    });
    return 0;
  } finally {
    await registry.close();
  }
}
