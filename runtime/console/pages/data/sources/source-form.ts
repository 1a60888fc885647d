/** Connections of sources: the fields of the form, and the configuration in the metadata. */
import type { Json, JsonObject } from "../../../http/metadata-types.ts";

interface KindOfSource {
  readonly label: string;
  /** Member of the connection that has the URL or the variable. */
  readonly member: string;
  /** Label and example of the URL. */
  readonly url: string;
  readonly example: string;
  /** Members of the pool settings with their labels. */
  readonly pool: Readonly<Record<string, string>>;
  readonly hasReplicas: boolean;
}

export const kindsOfSource: Readonly<Record<string, KindOfSource>> = {
  postgres: {
    label: "PostgreSQL",
    member: "database_url",
    url: "URL",
    example: "postgres://user:password@host:5432/database",
    pool: {
      max_connections: "Maximum connections",
      idle_timeout: "Idle timeout (seconds)",
      pool_timeout: "Wait for a connection (seconds)",
      connection_lifetime: "Connection lifetime (seconds)",
    },
    hasReplicas: true,
  },
  mssql: {
    label: "SQL Server",
    member: "connection_string",
    url: "Connection string",
    example: "Server=host,1433;Database=shop;Uid=user;Pwd=password;",
    pool: { max_connections: "Maximum connections", idle_timeout: "Idle timeout (seconds)" },
    hasReplicas: false,
  },
};

export interface ConnectionDraft {
  readonly form: "variable" | "url";
  /** Name of the environment variable. */
  readonly variable: string;
  /** New URL. The form never shows the present one. */
  readonly url: string;
  /** Pool settings by member; empty for the default. */
  readonly pool: Readonly<Record<string, string>>;
}

export interface SourceDraft {
  readonly name: string;
  readonly kind: string;
  readonly connection: ConnectionDraft;
  /** `null` without a read replica. */
  readonly replica: ConnectionDraft | null;
}

const emptyConnection: ConnectionDraft = { form: "variable", variable: "", url: "", pool: {} };

export const emptySource: SourceDraft = { name: "", kind: "postgres", connection: emptyConnection, replica: null };

export const emptyReplica = (): ConnectionDraft => emptyConnection;

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const kindOf = (kind: string): KindOfSource => kindsOfSource[kind] ?? (kindsOfSource.postgres as KindOfSource);

function connectionDraft(kind: string, info: JsonObject): ConnectionDraft {
  const { member, pool } = kindOf(kind);
  const { from_env: variable } = objectOf(info[member]);
  const settings = objectOf(info.pool_settings);
  return {
    form: typeof variable === "string" ? "variable" : "url",
    variable: typeof variable === "string" ? variable : "",
    url: "",
    pool: Object.fromEntries(Object.keys(pool).map((name) => [name, numberText(settings[name])])),
  };
}

/** Numbers of the metadata can be raw values, which print themselves. */
const numberText = (value: Json | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** Returns the fields of a source in the metadata. Further replicas than the first stay as they are. */
export function draftOf(name: string, kind: string, configuration: JsonObject): SourceDraft {
  const [replica] = replicasOf(configuration);
  return {
    name,
    kind,
    connection: connectionDraft(kind, objectOf(configuration.connection_info)),
    replica: replica ? connectionDraft(kind, replica) : null,
  };
}

const replicasOf = ({ read_replicas: list }: JsonObject): readonly JsonObject[] =>
  Array.isArray(list) ? list.map(objectOf) : [];

export const isWholeNumber = (text: string): boolean => /^\d{0,9}$/.test(text);

/** Returns the connection with the fields of the draft; `null` while they are incomplete. Other members of `before` stay. */
function connectionOf(kind: string, draft: ConnectionDraft, before: JsonObject): JsonObject | null {
  const { member, pool } = kindOf(kind);
  const isUnchanged = draft.form === "url" && draft.url === "" && typeof before[member] !== "undefined";
  const address = draft.form === "variable" ? { from_env: draft.variable } : draft.url;
  if (!isUnchanged && (draft.form === "variable" ? draft.variable : draft.url).trim() === "") return null;
  const settings: Record<string, Json> = { ...objectOf(before.pool_settings) };
  for (const name of Object.keys(pool)) {
    const text = draft.pool[name] ?? "";
    if (!isWholeNumber(text)) return null;
    if (text === "") delete settings[name];
    else settings[name] = Number(text);
  }
  const { pool_settings: _pool, ...others } = before;
  return {
    ...others,
    ...(!isUnchanged && { [member]: address }),
    ...(Object.keys(settings).length > 0 && { pool_settings: settings }),
  };
}

/** Returns the configuration of a source; `null` while fields are incomplete. */
export function configurationOf(draft: SourceDraft, before: JsonObject): JsonObject | null {
  const connection = connectionOf(draft.kind, draft.connection, objectOf(before.connection_info));
  if (connection === null) return null;
  const [first = {}, ...rest] = replicasOf(before);
  const replica = draft.replica && connectionOf(draft.kind, draft.replica, first);
  if (draft.replica !== null && replica === null) return null;
  const replicas = replica ? [replica, ...rest] : rest;
  const { read_replicas: _replicas, ...others } = before;
  return { ...others, connection_info: connection, ...(replicas.length > 0 && { read_replicas: replicas }) };
}
