/** Opens the database of a source by its kind. This is the only list of drivers. */
import { EngineError } from "../../values/errors.ts";
import type { SourceEnvironment } from "./connection-settings.ts";
import { openMssql } from "./mssql/open-mssql.ts";
import { type MssqlConnectionInfo, resolveMssqlSettings } from "./mssql/settings.ts";
import { openPostgres, type PostgresEvents, type PostgresParts } from "./postgres/open-postgres.ts";
import { serverLabel } from "./postgres/server-label.ts";
import { type PostgresConnectionInfo, resolvePostgresSettings } from "./postgres/settings.ts";
import { openRoutes, type Routing } from "./routes.ts";
import type { ConnectionMeter, ConnectionRole, DatabaseSource, SourceReport } from "./source.ts";

/** The connection of a source in the metadata. Each driver reads its own part. */
export interface SourceAddress {
  readonly name: string;
  readonly kind: string;
  readonly connectionInfo: unknown;
  /** Connection info of the read replicas; absent without replicas. */
  readonly replicas?: readonly unknown[] | undefined;
  /** Connection template and its connection set; absent without a template. */
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
 * Opens a source. It connects on first use.
 * @throws EngineError if its settings cannot be resolved or its kind has no driver
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

/** Converts connection events of a source to log messages. */
export function reportEvents(source: string, report: SourceReport, meter?: ConnectionMeter): PostgresEvents {
  return {
    meter,
    onReduced: (connections, reason) =>
      report("warn", "The database rejects further connections; requests wait for existing ones", {
        source,
        connections,
        reason,
      }),
    onReplica: (server, isInUse) =>
      isInUse
        ? report("info", "A read replica is reachable again", { source, server })
        : report("warn", "A read replica is unreachable; reads go to the others and the primary", { source, server }),
    onRestored: () => report("info", "The database accepts connections again", { source }),
    onDelivery: (isDelivered) =>
      isDelivered
        ? report("info", "LISTEN messages arrive again; live queries use notifications", { source })
        : report("warn", "LISTEN messages do not arrive, as behind a pooler; live queries are polled", { source }),
  };
}
