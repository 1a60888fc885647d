/** The log of administrative operations: lines of the type `audit-log`, and a table of the metadata database. */

import type { Json } from "../../compiler/catalog/model.ts";
import type { Log } from "../observe/logs/log.ts";
import { EngineError } from "../values/errors.ts";
import { stringifyJson } from "../values/json-number.ts";
import { messageOf } from "../values/message-of.ts";
import type { Session } from "../values/session.ts";
import { type AuditedRequest, storedText } from "./audited-operations.ts";
import type { IoCallOf, IoHandlers } from "./io-handlers.ts";
import type { MetadataStore } from "./store.ts";

export const auditLogHandlers: IoHandlers<"get_audit_log"> = {
  get_audit_log: (call, { store }) => getAuditLog(call, store),
};

export interface AuditSettings {
  readonly log: Log;
  readonly store: Pick<MetadataStore, "query">;
  /** Age in days at which entries of the table are deleted; 0 keeps them. */
  readonly retentionDays: number;
}

interface AuditEntry extends AuditedRequest {
  readonly session: Pick<Session, "role" | "variables" | "requestId">;
  readonly ip: string;
  readonly endpoint: string;
  /** `success`, or the code of the error. */
  readonly outcome: string;
  readonly resourceVersion: number;
}

const table = "engine_catalog.engine_audit_log";
const hour = 3_600_000;
/** Number of entries that one statement deletes. */
const deletedAtOnce = 1000;

const insertStatement = `insert into ${table} (request_id, role, user_name, ip, endpoint, operations, operation_count, outcome, resource_version)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const deleteStatement = `delete from ${table} where id in (
  select id from ${table} where at < clock_timestamp() - make_interval(days => $1::int) order by at limit $2
  for update skip locked
) returning id`;

export class AuditLog {
  readonly #settings: AuditSettings;
  #cleanedAt = -Infinity;

  constructor(settings: AuditSettings) {
    this.#settings = settings;
  }

  /** Records a request. Never rejects: a failure to store the entry is logged. */
  async record({
    session,
    ip: address,
    endpoint,
    operations,
    count,
    outcome,
    resourceVersion,
  }: AuditEntry): Promise<void> {
    const { log, store } = this.#settings;
    const ip = storedText(address);
    const user = session.variables.get("x-engine-user-id");
    const entry = {
      request_id: session.requestId === undefined ? null : storedText(session.requestId),
      role: storedText(session.role),
      user: user === undefined ? null : storedText(user),
      ip,
      endpoint,
      operations,
      operation_count: count,
      outcome,
      resource_version: resourceVersion,
    };
    log.info("audit-log", entry);
    const { request_id, role, resource_version } = entry;
    const values = [request_id, role, entry.user, ip, endpoint, stringifyJson(operations), count, outcome];
    try {
      await store.query(insertStatement, [...values, resource_version]);
      await this.#deleteOld();
    } catch (error) {
      const reason = messageOf(error);
      log.warn("audit-log", { message: "Failed to store an entry of the audit log", request_id, reason });
    }
  }

  async #deleteOld(): Promise<void> {
    const { store, retentionDays } = this.#settings;
    const now = performance.now();
    if (retentionDays === 0 || now - this.#cleanedAt < hour) return;
    this.#cleanedAt = now;
    for (;;) {
      const deleted = await store.query(deleteStatement, [retentionDays, deletedAtOnce]);
      if (deleted.length < deletedAtOnce) return;
    }
  }
}

/** Returns the outcome of a failed request. */
export function failureOf(error: unknown): string {
  return error instanceof EngineError ? error.code : "unexpected";
}

async function getAuditLog({ input }: IoCallOf<"get_audit_log">, store: MetadataStore): Promise<Json> {
  const { from, to, operation, user, request_id, limit, before } = input;
  const rows = await store.query(
    `select id::text as id, at, request_id, role, user_name, ip, endpoint, operations, operation_count, outcome,
       resource_version
     from ${table} entry
     where at >= coalesce($1::timestamptz, '-infinity') and at < coalesce($2::timestamptz, 'infinity')
       and ($3::text is null
         or exists (select from json_array_elements(entry.operations) as each (value) where value ->> 'type' = $3))
       and ($4::text is null or user_name = $4) and ($5::text is null or request_id = $5)
       and ($6::bigint is null or id < $6)
     order by id desc limit $7`,
    [from ?? null, to ?? null, operation ?? null, user ?? null, request_id ?? null, before ?? null, limit],
  );
  const entries = rows.map(({ id, at, user_name, ...row }) => ({
    id: Number(id),
    at: (at as Date).toISOString(),
    ...row,
    user: user_name,
  }));
  return { entries } as unknown as Json;
}
