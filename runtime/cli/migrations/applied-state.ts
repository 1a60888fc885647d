/**
 * Reads and writes the migrations that a server has applied: `cli_state.migrations` of `get_catalog_state`, a map from
 * databases to versions. The value of a version is true if it is unfinished: marked before its SQL ran, and not after.
 */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { CallMetadata } from "../project/client.ts";
import { parseVersion } from "./migration-files.ts";

/** Maps versions to true if they are unfinished. */
export type AppliedVersions = ReadonlyMap<string, boolean>;

export class AppliedState {
  readonly #call: CallMetadata;
  /** Includes members of other tools, which are preserved. */
  #state: JsonObject;

  private constructor(call: CallMetadata, state: JsonObject) {
    this.#call = call;
    this.#state = state;
  }

  static async read(call: CallMetadata): Promise<AppliedState> {
    const response = await call({ type: "get_catalog_state", args: {} });
    const state = isObject<Json>(response) ? response.cli_state : undefined;
    return new AppliedState(call, isObject<Json>(state) ? state : {});
  }

  /** @throws EngineError for a state in an unknown format */
  of(database: string): AppliedVersions {
    const { migrations } = this.#state;
    const versions = isObject<Json>(migrations) ? migrations[database] : undefined;
    if (versions === undefined) return new Map();
    if (!isObject<Json>(versions)) throw foreignState(database);
    const entries = Object.entries(versions).map(([text, unfinished]): [string, boolean] => {
      const version = parseVersion(text);
      if (version === undefined || typeof unfinished !== "boolean") throw foreignState(database);
      return [version, unfinished];
    });
    return new Map(entries);
  }

  /** Changes the versions of a database, and stores them on the server. */
  async change(database: string, change: (versions: Map<string, boolean>) => void): Promise<void> {
    const versions = new Map(this.of(database));
    change(versions);
    const { migrations } = this.#state;
    this.#state = {
      ...this.#state,
      migrations: { ...(isObject<Json>(migrations) ? migrations : {}), [database]: Object.fromEntries(versions) },
    };
    await this.#call({ type: "set_catalog_state", args: { type: "cli", state: this.#state } });
  }
}

function foreignState(database: string): EngineError {
  const message = `the server's migration state of database ${database} has an unknown format`;
  return new EngineError("unexpected", "$", message);
}
