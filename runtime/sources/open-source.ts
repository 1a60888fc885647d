/** A source of the metadata → a connected database, by its kind. Nothing else lists the drivers. */
import { EngineError } from "../values/errors.ts";
import type { SourceEnvironment } from "./connection-settings.ts";
import { openMssql } from "./mssql/open-mssql.ts";
import { type MssqlConnectionInfo, resolveMssqlSettings } from "./mssql/settings.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { reportEvents } from "./postgres/report-events.ts";
import { serverLabel } from "./postgres/server-label.ts";
import { type PostgresConnectionInfo, resolvePostgresSettings } from "./postgres/settings.ts";
import type { DatabaseSource, SourceReport } from "./source.ts";

/** What the metadata says about a source's connection; each driver reads its own part. */
export interface SourceAddress {
  readonly name: string;
  readonly kind: string;
  readonly connectionInfo: unknown;
}

type Opener = (address: SourceAddress, environment: SourceEnvironment, report: SourceReport) => DatabaseSource;

const openers: Readonly<Record<string, Opener>> = {
  mssql: ({ name, connectionInfo }, environment) =>
    openMssql(resolveMssqlSettings(name, connectionInfo as MssqlConnectionInfo, environment)),
  postgres: ({ name, connectionInfo }, environment, report) => {
    const settings = resolvePostgresSettings(name, connectionInfo as PostgresConnectionInfo, environment);
    const meter = environment.meterOf?.(name, serverLabel(settings));
    return openPostgres(settings, reportEvents(name, report, meter));
  },
};

/**
 * Opens a source; it connects when it is first used.
 * @throws EngineError when its settings cannot be resolved or its kind has no driver
 */
export function openSource(
  address: SourceAddress,
  environment: SourceEnvironment,
  report: SourceReport = () => undefined,
): DatabaseSource {
  const open = openers[address.kind];
  if (!open) throw new EngineError("not-supported", "$", `sources of kind ${address.kind} are not supported`);
  return open(address, environment, report);
}
