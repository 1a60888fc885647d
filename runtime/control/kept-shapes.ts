/**
 * The last good Shape of each source, kept in the metadata database. A source that cannot be reached when the server
 * starts is served by it: its fields exist and answer `connection error`, in place of errors about unknown fields.
 */
import { createHash } from "node:crypto";
import type { Shape } from "../../compiler/shape/shape.ts";
import { shapeSchema } from "../../compiler/shape/shape-schema.ts";
import type { Log } from "../observe/log.ts";
import type { MetadataStore } from "./store.ts";

export interface ShapeMemory {
  /** The last Shape of a source behind the same connection settings; `undefined` where none is known. */
  find(source: string, connection: string): Promise<Shape | undefined>;
  /** Writes in the background: nobody waits for it, and a failure is only logged. */
  keep(source: string, connection: string, shape: Shape): void;
  forget(sources: readonly string[]): void;
}

interface Kept {
  readonly connection: string;
  readonly shape: Shape;
}

export class KeptShapes implements ShapeMemory {
  readonly #store: Pick<MetadataStore, "query">;
  readonly #log: Log;
  /** What is to be written; of several Shapes of one source only the newest. `null`: to be forgotten. */
  readonly #waiting = new Map<string, Kept | null>();
  #writing: Promise<void> | undefined;

  constructor(store: Pick<MetadataStore, "query">, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  async find(source: string, connection: string): Promise<Shape | undefined> {
    try {
      const text = "select shape from engine_catalog.engine_source_shape where source = $1 and connection = $2";
      const [row] = await this.#store.query(text, [source, digest(connection)]);
      // An older or newer version of the engine may have kept it in a form of its own.
      return shapeSchema.safeParse(row?.shape).data;
    } catch (error) {
      this.#report(source, error);
      return undefined;
    }
  }

  keep(source: string, connection: string, shape: Shape): void {
    this.#waiting.set(source, { connection, shape });
    this.#work();
  }

  forget(sources: readonly string[]): void {
    for (const source of sources) this.#waiting.set(source, null);
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
  async #write(source: string, { connection, shape }: Kept): Promise<void> {
    const text = JSON.stringify(shape);
    const key = [source, digest(connection), digest(text)];
    const same =
      "select 1 from engine_catalog.engine_source_shape where source = $1 and connection = $2 and digest = $3";
    if ((await this.#store.query(same, key)).length > 0) return;
    await this.#store.query(
      `insert into engine_catalog.engine_source_shape (source, connection, digest, shape) values ($1, $2, $3, $4)
       on conflict (source) do update
       set connection = excluded.connection, digest = excluded.digest, shape = excluded.shape, kept_at = now()`,
      [...key, text],
    );
  }

  async #remove(source: string): Promise<void> {
    await this.#store.query("delete from engine_catalog.engine_source_shape where source = $1", [source]);
  }

  #report(source: string, error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.#log.warn("metadata", { message: "The last known shape of a source is not kept", info: { source, reason } });
  }
}

/** Connection settings may hold a password, which has no business in a table. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
