/**
 * The last good Shape of each source, and of the server of each remote schema, kept in the metadata database. What cannot
 * be reached when the server starts is served by it: its fields exist and answer `connection error`, in place of errors
 * about unknown fields. A database that is as it was when its Shape was kept is not read again at a start.
 */
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SeenShape } from "../../compiler/1-introspect/introspect.ts";
import { remoteShapeOf } from "../../compiler/1-introspect/read-remote-shape.ts";
import type { JsonObject } from "../../compiler/catalog/model.ts";
import type { RemoteShape } from "../../compiler/shape/remote-shape.ts";
import { shapeSchema } from "../../compiler/shape/shape-schema.ts";
import type { Log } from "../observe/logs/log.ts";
import { inSlices } from "../values/interruptible.ts";
import { isObject } from "../values/is-object.ts";
import type { MetadataStore } from "./store.ts";

export interface ShapeMemory<S> {
  /** The last Shape of a source behind the same connection settings; `undefined` where none is known. */
  find(source: string, connection: string): Promise<S | undefined>;
  /** Writes in the background: nobody waits for it, and a failure is only logged. */
  keep(source: string, connection: string, shape: S): void;
  forget(sources: readonly string[]): void;
}

/** One whose Shapes can be read before they are needed. */
export interface ExpectingMemory<S> extends ShapeMemory<S> {
  /** Begins to read what is kept of these sources, for who will soon ask for them. */
  expect(sources: readonly string[]): void;
}

interface Kept<S> {
  readonly connection: string;
  readonly shape: S;
}

/** As the database has it. */
interface KeptRow {
  readonly connection: unknown;
  readonly digest: unknown;
  readonly shape: string;
}

/** What Shapes of a kind are kept as. */
interface KeptForm<S> {
  readonly table: string;
  /** What messages call the owner of a Shape. */
  readonly owner: string;
  readonly write: (shape: S) => unknown;
  /**
   * An older or newer version of the engine may have kept it in a form of its own.
   * @param isIntact whether it is, letter by letter, what was written
   */
  readonly read: (kept: unknown, isIntact: boolean) => S | undefined | Promise<S | undefined>;
}

/**
 * As their databases were seen.
 * @param version of the product: another one may read more from a database that is as it was
 */
export const sourceShapes = (version: string): KeptForm<SeenShape> => ({
  table: "engine_catalog.engine_source_shape",
  owner: "source",
  write: ({ shape, fingerprint }) => ({ version, fingerprint, shape }),
  read: (kept, isIntact) => {
    if (!isObject(kept)) return undefined;
    // The digest finds damage, not tampering: a writer of the table can compute it too.
    const shape = shapeSchema.safeParse(kept.shape).data;
    const isCurrent = isIntact && kept.version === version && typeof kept.fingerprint === "string";
    return shape && { shape, fingerprint: isCurrent ? String(kept.fingerprint) : undefined };
  },
});

/** As their servers answered. */
export const remoteShapes: KeptForm<RemoteShape> = {
  table: "engine_catalog.engine_remote_shape",
  owner: "remote schema",
  write: ({ introspection }) => introspection,
  read: async (kept) => {
    const found = isObject(kept) ? await inSlices(remoteShapeOf(kept as JsonObject)) : undefined;
    return found && "shape" in found ? found.shape : undefined;
  },
};

const logType = "stored-introspection-storage";

export class KeptShapes<S> implements ExpectingMemory<S> {
  readonly #form: KeptForm<S>;
  readonly #store: Pick<MetadataStore, "query">;
  readonly #log: Log;
  /** What is to be written; of several Shapes of one source only the newest. `null`: to be forgotten. */
  readonly #waiting = new Map<string, Kept<S> | null>();
  #writing: Promise<void> | undefined;
  /** What is being read, by source: `expect`. */
  readonly #expected = new Map<string, Promise<KeptRow | undefined>>();
  /** Sources of which something else is kept than its digest says. */
  readonly #damaged = new Set<string>();

  constructor(form: KeptForm<S>, store: Pick<MetadataStore, "query">, log: Log) {
    this.#form = form;
    this.#store = store;
    this.#log = log;
  }

  expect(sources: readonly string[]): void {
    for (const source of sources) {
      const row = this.#read(source);
      row.catch(() => undefined); // who asks for it is told
      this.#expected.set(source, row);
    }
  }

  async #read(source: string): Promise<KeptRow | undefined> {
    const text = `select connection, digest, shape::text from ${this.#form.table} where source = $1`;
    const [row] = await this.#store.query(text, [source]);
    return row && { connection: row.connection, digest: row.digest, shape: String(row.shape) };
  }

  async find(source: string, connection: string): Promise<S | undefined> {
    try {
      const expected = this.#expected.get(source);
      this.#expected.delete(source);
      const row = await (expected ?? this.#read(source));
      if (row?.connection !== digest(connection)) return undefined;
      const kept = row.shape;
      const isIntact = digest(kept) === row.digest;
      if (!isIntact) this.#damaged.add(source);
      return await this.#form.read(JSON.parse(kept), isIntact);
    } catch (error) {
      this.#report(source, error);
      return undefined;
    }
  }

  keep(source: string, connection: string, shape: S): void {
    this.#expected.delete(source);
    this.#waiting.set(source, { connection, shape });
    this.#work();
  }

  forget(sources: readonly string[]): void {
    for (const source of sources) {
      this.#expected.delete(source);
      this.#waiting.set(source, null);
    }
    this.#work();
  }

  /** Resolves when nothing waits to be written any more. */
  async close(): Promise<void> {
    await this.#writing;
  }

  #work(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    // Writing a large Shape as text takes a while: who made the change has the answer before.
    await nextTurn();
    // The iteration also visits what is added while it waits.
    for (const [source, kept] of this.#waiting) {
      this.#waiting.delete(source);
      try {
        await (kept === null ? this.#remove(source) : this.#write(source, kept));
      } catch (error) {
        this.#report(source, error);
      }
    }
  }

  /** Large texts are sent only when something changed, which is rarely so at a start. */
  async #write(source: string, { connection, shape }: Kept<S>): Promise<void> {
    const { table, write } = this.#form;
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
    this.#log.debug(logType, { message: `The shape of a ${this.#form.owner} is kept`, info: this.#named(source) });
  }

  async #remove(source: string): Promise<void> {
    await this.#store.query(`delete from ${this.#form.table} where source = $1`, [source]);
    this.#log.debug(logType, { message: `The shape of a ${this.#form.owner} is forgotten`, info: this.#named(source) });
  }

  #named(owner: string): Readonly<Record<string, string>> {
    return { [this.#form.owner.replace(" ", "_")]: owner };
  }

  #report(source: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The last known shape of a ${this.#form.owner} is not kept`;
    this.#log.warn(logType, { message, info: { ...this.#named(source), reason } });
  }
}

/** Connection settings may hold a password, which has no business in a table. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
