/** What probes are told of the control plane. */
import type { Log } from "../observe/log.ts";
import type { Meters } from "../ports/metrics.ts";
import { Health } from "../serving/health.ts";
import type { ControlPlane } from "./control-plane.ts";
import type { SourceRegistry } from "./source-registry.ts";
import type { MetadataStore } from "./store.ts";

export interface WatchedParts {
  readonly control: ControlPlane;
  readonly sources: SourceRegistry;
  readonly store: MetadataStore;
  readonly log: Log;
  readonly meters: Meters;
}

export function watchHealth({ control, sources, store, log, meters }: WatchedParts): Health {
  return new Health({
    sources: () =>
      control.state.catalog.sources.map((source) => ({
        name: source.name,
        database: () => sources.database(source),
      })),
    metadata: {
      ask: () => store.ping(),
      isConsistent: () => control.state.analysis.inconsistencies.every(({ informational }) => informational),
    },
    log,
    meters,
  });
}
