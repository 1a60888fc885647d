/** A PostgreSQL database with event triggers installed by hand, and the events that they record. */
import pg from "pg";
import { postgresCatalogMigrations } from "../../runtime/jobs/events/postgres/catalog-migrations.ts";
import { TestEngine } from "./compiled.ts";
import { createDatabase, type TestDatabase } from "./database.ts";

export interface RecordedEvent {
  readonly trigger: string;
  readonly table: string;
  readonly op: string;
  readonly old: Readonly<Record<string, unknown>> | null;
  readonly new: Readonly<Record<string, unknown>> | null;
  readonly session: Readonly<Record<string, string>> | null;
  readonly key: string | null;
}

export class RecordingDatabase {
  readonly database: TestDatabase;
  readonly client: pg.Client;
  readonly engine: TestEngine;

  private constructor(database: TestDatabase, client: pg.Client) {
    this.database = database;
    this.client = client;
    this.engine = new TestEngine(database.url);
  }

  /** Creates the database. @param schema SQL that creates its tables */
  static async open(schema: string): Promise<RecordingDatabase> {
    const database = await createDatabase("recorders");
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`create schema engine_catalog; ${postgresCatalogMigrations.join("\n")}`);
    await client.query(schema);
    return new RecordingDatabase(database, client);
  }

  /** Installs the event triggers of these tables; returns the reasons of inconsistencies. */
  async install(tables: readonly unknown[]): Promise<readonly string[]> {
    const { inconsistencies } = await this.engine.track(tables);
    for (const { recorders } of this.engine.eventTriggers()) {
      for (const { statements } of recorders) for (const sql of statements) await this.client.query(sql);
    }
    return inconsistencies.map(({ reason }) => reason);
  }

  async run(sql: string): Promise<void> {
    await this.client.query(sql);
  }

  /** Returns the events recorded since the last call, in order of recording. */
  async events(): Promise<readonly RecordedEvent[]> {
    await this.client.query("select engine_catalog.unpack_events(1000)");
    const { rows } = await this.client.query<RecordedEvent>(`
      select trigger_name as trigger, schema_name || '.' || table_name as "table", payload ->> 'op' as op,
        payload #> '{data,old}' as old, payload #> '{data,new}' as new,
        payload -> 'session_variables' as session, ordering_key as key
      from engine_catalog.event_log order by ctid`);
    // An empty table has no gaps that later events could fill in another order.
    await this.client.query("truncate engine_catalog.event_log");
    return rows;
  }

  /** Returns the number of events in each pack. */
  async packs(): Promise<readonly number[]> {
    const { rows } = await this.client.query<{ events: number }>(
      "select events from engine_catalog.packed_events order by id",
    );
    return rows.map(({ events }) => events);
  }

  async close(): Promise<void> {
    await this.engine.close();
    await this.client.end();
    await this.database.drop();
  }
}

const retry_conf = { num_retries: 0, interval_sec: 10 };

/** Returns an event trigger as metadata; its URL is never called. */
export function trigger(name: string, definition: object, more: object = {}) {
  return { name, definition, retry_conf, webhook: "http://localhost", ...more };
}

export const everything = { insert: { columns: "*" }, update: { columns: "*" }, delete: { columns: "*" } };
