/** A state → the Generation that serves it, on the sources of the server. */
import type { GenerationSettings } from "../execute/base-generation.ts";
import type { Generation } from "../execute/generation.ts";
import type { DatabaseSource } from "../sources/source.ts";
import type { Surroundings } from "./compile-state.ts";
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

  build({ catalog, analysis, ...state }: Omit<State, keyof Surroundings>): Generation {
    const sources = new Map<string, DatabaseSource>();
    for (const [name, { source }] of analysis.sources) sources.set(name, this.#settings.sources.database(source));
    const { tls_allowlist: tlsAllowlist } = catalog.network;
    return new LoadedGeneration({ ...state, sources, tlsAllowlist, guardRules: catalog }, this.#settings);
  }
}
