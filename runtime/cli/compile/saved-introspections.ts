/** Reads the introspection of each source from a file of saved Shapes. */
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { readShapeFile } from "./shape-file.ts";

/**
 * Reads the introspection of each source. Sources without a Shape in the file become inconsistent.
 * @throws EngineError if the file cannot be read, or describes one source and the metadata has several
 */
export async function savedIntrospections(
  file: string,
  sources: readonly Source[],
): Promise<ReadonlyMap<string, SourceIntrospection>> {
  const saved = await readShapeFile(file);
  if (saved.kind === "one") {
    return new Map([[onlySource(sources, `${file} describes one source`).name, { shape: saved.shape }]]);
  }
  return new Map(
    sources.map(({ name }) => {
      const found = saved.shapes.get(name);
      return [name, found ? { shape: found } : { error: { message: `${file} has no shape of source ${name}` } }];
    }),
  );
}

/**
 * @param claim beginning of the error message
 * @throws EngineError if there is not exactly one source
 */
export function onlySource(sources: readonly Source[], claim: string): Source {
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    const names = sources.map(({ name }) => name).join(", ");
    const message = `${claim}, but the metadata has ${sources.length} (${names}): pass a file with a shape for each source`;
    throw new EngineError("invalid-params", "$", message);
  }
  return source;
}
