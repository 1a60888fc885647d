/** Health of the control plane, for probes. */
import type { Catalog } from "../../compiler/catalog/catalog.ts";
import { Health } from "../databases/sources/health/health.ts";
import type { CheckedSource } from "../databases/sources/health/source-health-checks.ts";
import type { Log } from "../observe/logs/log.ts";
import type { Meters } from "../ports/metrics.ts";
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
      sendStatement: () => store.ping(),
      isEmpty: () => isEmpty(control.state.catalog),
      isConsistent: () => control.state.analysis.inconsistencies.every(({ informational }) => informational),
    },
    log,
    meters,
  });
}

/** Returns the sources with a configured health check. */
export function checkedSources(control: ControlPlane, sources: SourceRegistry): readonly CheckedSource[] {
  return control.state.catalog.sources.flatMap((source) => {
    const { name, health_check: definition } = source;
    return definition === undefined ? [] : [{ name, definition, database: () => sources.database(source) }];
  });
}

function isEmpty({ sources, remote_schemas, actions }: Catalog): boolean {
  return sources.length + remote_schemas.length + actions.length === 0;
}
