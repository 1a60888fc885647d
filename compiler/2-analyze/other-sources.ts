/**
 * Other sources as seen by row filters: their tables with relationships and computed fields, without permissions.
 * Analysed on demand, because most metadata has no filter across sources.
 */
import type { Catalog } from "../catalog/catalog.ts";
import { dialectOf } from "../dialects/index.ts";
import type { Analysis, AnalysisOptions, SourceIntrospection } from "./analysis.ts";
import { analyzeFields } from "./fields.ts";
import type { OtherSource, OtherSources } from "./predicate-scope.ts";
import { Findings } from "./rejection.ts";
import { share } from "./share.ts";
import { SourceContext } from "./source-context.ts";
import { sourceShape } from "./source-shape.ts";
import { analyzeTables } from "./tables.ts";

interface Input {
  readonly catalog: Catalog;
  readonly introspections: ReadonlyMap<string, SourceIntrospection>;
  readonly options: AnalysisOptions;
  readonly previous: Analysis | undefined;
}

/** Analyses other sources on demand. Inconsistencies are reported by each source's own analysis. */
export class LazyOtherSources implements OtherSources {
  readonly #input: Input;
  readonly #found = new Map<string, OtherSource | undefined>();
  readonly #changed = new Map<string, boolean>();

  constructor(input: Input) {
    this.#input = input;
  }

  named(name: string): OtherSource | undefined {
    if (!this.#found.has(name)) this.#found.set(name, this.#analyze(name));
    return this.#found.get(name);
  }

  hasChanged(name: string): boolean {
    let changed = this.#changed.get(name);
    if (changed === undefined) {
      changed = this.#compare(name);
      this.#changed.set(name, changed);
    }
    return changed;
  }

  anyHasChanged(besides: string): boolean {
    const { catalog, previous } = this.#input;
    const names = new Set([...catalog.sources.map(({ name }) => name), ...(previous?.sources.keys() ?? [])]);
    return [...names].some((name) => name !== besides && this.hasChanged(name));
  }

  #compare(name: string): boolean {
    const { catalog, introspections, previous } = this.#input;
    const earlier = previous?.sources.get(name);
    const source = catalog.sources.find((each) => each.name === name);
    if (earlier?.source !== source) return true;
    const introspection = introspections.get(name);
    return earlier !== undefined && share(earlier.introspection, introspection) !== earlier.introspection;
  }

  #analyze(name: string): OtherSource | undefined {
    const { catalog, introspections, options, previous } = this.#input;
    const source = catalog.sources.find((each) => each.name === name);
    const introspection = introspections.get(name);
    const shape = source && introspection && sourceShape(source, introspection, new Findings());
    if (source === undefined || shape === undefined) return undefined;
    const context = new SourceContext(source, shape, dialectOf(source.kind), options);
    const earlier = previous?.sources.get(name);
    const known = earlier?.source.kind === source.kind ? earlier : undefined;
    const bases = analyzeTables(context, known, new Findings());
    const tables = analyzeFields({ context, tables: bases }, bases.values(), known?.tables, new Findings());
    return { context, tables };
  }
}
