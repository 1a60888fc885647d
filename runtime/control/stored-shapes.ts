/**
 * Stores the last valid shape of each source and remote schema in the metadata database. At start-up, unreachable sources
 * and remote schemas are served from it: their fields exist and return `connection error` instead of errors about unknown
 * fields. Databases that have not changed since are not read again.
 */

import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FingerprintedShape } from "../../compiler/1-introspect/introspect.ts";
import { remoteShapeOf } from "../../compiler/1-introspect/read-remote-shape.ts";
import type { JsonObject } from "../../compiler/catalog/model.ts";
import type { RemoteShape } from "../../compiler/shape/remote-shape.ts";
import { shapeSchema } from "../../compiler/shape/shape-schema.ts";
import type { Log } from "../observe/logs/log.ts";
import { runInSlices } from "../values/interruptible.ts";
import { isObject } from "../values/is-object.ts";
import { messageOf } from "../values/message-of.ts";
import type { MetadataStore } from "./store.ts";

export interface ShapeStore<S> {
  /** Returns the last shape of a source with the same connection settings. */
  find(source: string, connection: string): Promise<S | undefined>;
  /** Stores a shape in the background. Failures are only logged. */
  store(source: string, connection: string, shape: S): void;
  delete(sources: readonly string[]): void;
}

export interface PrefetchingShapeStore<S> extends ShapeStore<S> {
  /** Begins to read the shapes of these sources, for `find`. */
  prefetch(sources: readonly string[]): void;
}

interface PendingWrite<S> {
  readonly connection: string;
  readonly shape: S;
}

/** A row as the driver returns it. */
interface StoredRow {
  readonly connection: unknown;
  readonly digest: unknown;
  readonly shape: string;
}

/** Table and JSON format of one kind of shapes. */
interface ShapeFormat<S> {
  readonly table: string;
  /** Kind of the owner of a shape, for log lines. */
  readonly owner: string;
  readonly write: (shape: S) => unknown;
  /**
   * Reads stored JSON, possibly in the format of another version of the engine.
   * @param isIntact true if the text is exactly as it was written
   */
  readonly read: (json: unknown, isIntact: boolean) => S | undefined | Promise<S | undefined>;
}

/**
 * Returns the format of shapes of sources.
 * @param version version of the product. Another version may read more from an unchanged database.
 */
export const sourceShapes = (version: string): ShapeFormat<FingerprintedShape> => ({
  table: "engine_catalog.engine_source_shape",
  owner: "source",
  write: ({ shape, fingerprint }) => ({ version, fingerprint, shape }),
  read: (json, isIntact) => {
    if (!isObject(json)) return undefined;
    // The digest detects damage, not tampering: a writer of the table can also compute it.
    const shape = shapeSchema.safeParse(json.shape).data;
    const isCurrent = isIntact && json.version === version && typeof json.fingerprint === "string";
    return shape && { shape, fingerprint: isCurrent ? String(json.fingerprint) : undefined };
  },
});

/** Format of remote schemas: the introspection results of their servers. */
export const remoteShapes: ShapeFormat<RemoteShape> = {
  table: "engine_catalog.engine_remote_shape",
  owner: "remote schema",
  write: ({ introspection }) => introspection,
  read: async (json) => {
    const found = isObject(json) ? await runInSlices(remoteShapeOf(json as JsonObject)) : undefined;
    return found && "shape" in found ? found.shape : undefined;
  },
};

const logType = "stored-introspection-storage";

export class StoredShapes<S> implements PrefetchingShapeStore<S> {
  readonly #format: ShapeFormat<S>;
  readonly #store: Pick<MetadataStore, "query">;
  readonly #log: Log;
  /** The newest write of each source; `null` for deletions. */
  readonly #pending = new Map<string, PendingWrite<S> | null>();
  #writing: Promise<void> | undefined;
  readonly #prefetched = new Map<string, Promise<StoredRow | undefined>>();
  /** Sources whose stored text does not match its digest. */
  readonly #damaged = new Set<string>();

  constructor(format: ShapeFormat<S>, store: Pick<MetadataStore, "query">, log: Log) {
    this.#format = format;
    this.#store = store;
    this.#log = log;
  }

  prefetch(sources: readonly string[]): void {
    for (const source of sources) {
      const row = this.#read(source);
      row.catch(() => undefined); // `find` reports the error
      this.#prefetched.set(source, row);
    }
  }

  async #read(source: string): Promise<StoredRow | undefined> {
    const text = `select connection, digest, shape::text from ${this.#format.table} where source = $1`;
    const [row] = await this.#store.query(text, [source]);
    return row && { connection: row.connection, digest: row.digest, shape: String(row.shape) };
  }

  async find(source: string, connection: string): Promise<S | undefined> {
    try {
      const prefetched = this.#prefetched.get(source);
      this.#prefetched.delete(source);
      const row = await (prefetched ?? this.#read(source));
      if (row?.connection !== digest(connection)) return undefined;
      const text = row.shape;
      const isIntact = digest(text) === row.digest;
      if (!isIntact) this.#damaged.add(source);
      return await this.#format.read(JSON.parse(text), isIntact);
    } catch (error) {
      this.#report(source, error);
      return undefined;
    }
  }

  store(source: string, connection: string, shape: S): void {
    this.#prefetched.delete(source);
    this.#pending.set(source, { connection, shape });
    this.#startWriting();
  }

  delete(sources: readonly string[]): void {
    for (const source of sources) {
      this.#prefetched.delete(source);
      this.#pending.set(source, null);
    }
    this.#startWriting();
  }

  /** Resolves when all pending writes are done. */
  async close(): Promise<void> {
    await this.#writing;
  }

  #startWriting(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    // Respond to the change first: serializing a large shape takes a while.
    await nextTurn();
    // The iteration also visits entries that are added while it awaits.
    for (const [source, write] of this.#pending) {
      this.#pending.delete(source);
      try {
        await (write === null ? this.#remove(source) : this.#write(source, write));
      } catch (error) {
        this.#report(source, error);
      }
    }
  }

  /**
   * Stores a shape unless the table already contains its text, as is usual at start-up. Writing it again could be slow,
   * because texts may be large.
   */
  async #write(source: string, { connection, shape }: PendingWrite<S>): Promise<void> {
    const { table, write } = this.#format;
    const text = JSON.stringify(write(shape));
    const key = [source, digest(connection), digest(text)];
    const same = `select 1 from ${table} where source = $1 and connection = $2 and digest = $3`;
    const isDamaged = this.#damaged.delete(source);
    if (!isDamaged && (await this.#store.query(same, key)).length > 0) return;
    await this.#store.query(
      `insert into ${table} (source, connection, digest, shape) values ($1, $2, $3, $4)
       on conflict (source) do update
       set connection = excluded.connection, digest = excluded.digest, shape = excluded.shape, kept_at = now()`,
      [...key, text],
    );
    this.#log.debug(logType, { message: `Stored the shape of a ${this.#format.owner}`, info: this.#named(source) });
  }

  async #remove(source: string): Promise<void> {
    await this.#store.query(`delete from ${this.#format.table} where source = $1`, [source]);
    this.#log.debug(logType, { message: `Deleted the shape of a ${this.#format.owner}`, info: this.#named(source) });
  }

  #named(owner: string): Readonly<Record<string, string>> {
    return { [this.#format.owner.replace(" ", "_")]: owner };
  }

  #report(source: string, error: unknown): void {
    const reason = messageOf(error);
    const message = `Failed to read or store the last shape of a ${this.#format.owner}`;
    this.#log.warn(logType, { message, info: { ...this.#named(source), reason } });
  }
}

/** Hashes a text. Connection settings may contain a password, which must not be stored. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
