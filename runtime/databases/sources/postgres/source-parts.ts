/** The shared parts with which a source runs statements. */
import type { ConnectionPool } from "./connection-pool.ts";
import type { PreparePolicy } from "./prepare-policy.ts";
import type { PostgresSettings } from "./settings.ts";

export interface SourceParts {
  readonly settings: PostgresSettings;
  readonly pool: ConnectionPool;
  readonly policy: PreparePolicy;
}
