/** A source of the metadata → a connected database, by its kind. Nothing else lists the drivers. */
import { EngineError } from "../../values/errors.ts";
import type { SourceEnvironment } from "./connection-settings.ts";
import { openMssql } from "./mssql/open-mssql.ts";
import { type MssqlConnectionInfo, resolveMssqlSettings } from "./mssql/settings.ts";
import { openPostgres, type PostgresParts } from "./postgres/open-postgres.ts";
import { reportEvents } from "./postgres/report-events.ts";
import { serverLabel } from "./postgres/server-label.ts";
import { type PostgresConnectionInfo, resolvePostgresSettings } from "./postgres/settings.ts";
import { openRoutes, type Routing } from "./routes.ts";
import type { ConnectionRole, DatabaseSource, SourceReport } from "./source.ts";

/** What the metadata says about a source's connection; each driver reads its own part. */
export interface SourceAddress {
  readonly name: string;
  readonly kind: string;
  readonly connectionInfo: unknown;
  /** Of its read replicas; absent: it has none. */
  readonly replicas?: readonly unknown[] | undefined;
  /** Its connection template with the connections that it may lead to; absent: it has none. */
  readonly routing?: Routing | undefined;
}

type Opener = (address: SourceAddress, environment: SourceEnvironment, report: SourceReport) => DatabaseSource;

const openers: Readonly<Record<string, Opener>> = {
  mssql: ({ name, connectionInfo }, environment) =>
    openMssql(resolveMssqlSettings(name, connectionInfo as MssqlConnectionInfo, environment)),
  postgres: ({ name, connectionInfo, replicas: infos = [], routing }, environment, report) => {
    const open = (info: unknown, role: ConnectionRole, parts: Pick<PostgresParts, "replicas" | "routes"> = {}) => {
      const settings = resolvePostgresSettings(name, info as PostgresConnectionInfo, environment);
      const meter = environment.meterOf?.(name, serverLabel(settings), role);
      return openPostgres(settings, { events: reportEvents(name, report, meter), ...parts });
    };
    const replicas = infos.map((info) => open(info, "replica"));
    const routes = routing && openRoutes(routing, infos.length > 0, (info) => open(info, "member"));
    return open(connectionInfo, "primary", { replicas, routes });
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
