/** A file of saved Shapes → what is known of each source's database. */
import type { SourceIntrospection } from "../../../compiler/2-analyze/analysis.ts";
import type { Source } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { readShapeFile } from "./shape-file.ts";

/**
 * A source that the file does not describe is inconsistent.
 * @throws EngineError when the file cannot be read, or describes one source and the metadata has several
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
 * @param claim what there is for one source only
 * @throws EngineError when there are several
 */
export function onlySource(sources: readonly Source[], claim: string): Source {
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0) {
    const names = sources.map(({ name }) => name).join(", ");
    const message = `${claim}, but the metadata has ${sources.length} (${names}): give a file with a shape for each`;
    throw new EngineError("invalid-params", "$", message);
  }
  return source;
}
