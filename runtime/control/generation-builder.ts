/** Builds the generation that serves a state, on the sources of the server. */

import type { DatabaseSource } from "../databases/sources/source.ts";
import type { GenerationSettings } from "../execute/base-generation.ts";
import { queryTagsOfSources } from "../execute/tag-statements.ts";
import type { IntrospectionResults } from "./compile-state.ts";
import { LoadedGeneration } from "./loaded-generation.ts";
import type { SourceRegistry } from "./source-registry.ts";
import type { State } from "./state.ts";

export interface GenerationBuilderSettings extends GenerationSettings {
  readonly sources: Pick<SourceRegistry, "database">;
}

export class GenerationBuilder {
  readonly #settings: GenerationBuilderSettings;

  constructor(settings: GenerationBuilderSettings) {
    this.#settings = settings;
  }

  /** @param previous the generation that the new one replaces; absent for the first and for drafts */
  build(
    { catalog, analysis, ...state }: Omit<State, keyof IntrospectionResults>,
    previous?: LoadedGeneration,
  ): LoadedGeneration {
    const sources = new Map<string, DatabaseSource>();
    for (const [name, { source }] of analysis.sources) sources.set(name, this.#settings.sources.database(source));
    const { tls_allowlist: tlsAllowlist } = catalog.network;
    const queryTags = queryTagsOfSources(catalog.sources.map(({ name, query_tags }) => [name, query_tags]));
    const parts = { ...state, sources, queryTags, tlsAllowlist, guardRules: catalog };
    return new LoadedGeneration(parts, this.#settings, previous);
  }
}
