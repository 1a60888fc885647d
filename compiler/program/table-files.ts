/**
 * Which table a module is about, by its path below `sources/` or `roles/<role>/`. The same for all roles, and kept from
 * program to program while no table comes or goes.
 */
import type { AnalyzedSource } from "../2-analyze/analysis.ts";
import type { AnalyzedTable } from "../2-analyze/analyzed-table.ts";
import { ofGroup } from "../2-analyze/table-map.ts";
import type { RootFieldIndex } from "../3-lower/root-field-index.ts";
import { isInSchema } from "../3-lower/table-inputs.ts";
import { refTo } from "../3-lower/table-names.ts";
import { tableFilePath } from "../4-emit/paths.ts";

type Sources = ReadonlyMap<string, AnalyzedSource>;

export class TableFiles {
  readonly #tables = new Map<string, { readonly source: string; readonly key: string }>();

  constructor(sources: Sources) {
    for (const source of sources.values()) {
      for (const group of source.tables.groups) {
        for (const [path, table] of placesOfGroup(group)) this.#tables.set(path, table);
      }
    }
  }

  /** @param index holds as long as these files do */
  static of(sources: Sources, index: RootFieldIndex): TableFiles {
    let files = known.get(index);
    if (files === undefined) {
      files = new TableFiles(sources);
      known.set(index, files);
    }
    return files;
  }

  /** The table of a file, as these sources have it. */
  find(sources: Sources, file: string): readonly [AnalyzedSource, AnalyzedTable] | undefined {
    const found = this.#tables.get(file);
    const source = found && sources.get(found.source);
    const table = source?.tables.get(found?.key ?? "");
    return source && table && [source, table];
  }
}

const known = new WeakMap<RootFieldIndex, TableFiles>();

type Place = readonly [path: string, table: { readonly source: string; readonly key: string }];

/** Making all of them again, when one table comes or goes, would take most of the time of that change. */
const placesOfGroup = ofGroup((group): readonly Place[] =>
  group
    .filter(isInSchema)
    .map(({ source, key, table }) => [tableFilePath(refTo(source, table.table)), { source, key }]),
);
