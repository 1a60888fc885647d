/**
 * Which migrations a server has: `get_catalog_state`'s `cli_state.migrations`, a map of databases to versions. The value
 * of a version is whether it is unfinished: marked before its SQL ran, and not since.
 */
import type { Json, JsonObject } from "../../../compiler/catalog/model.ts";
import { EngineError } from "../../values/errors.ts";
import { isObject } from "../../values/is-object.ts";
import type { CallMetadata } from "../project/client.ts";
import { parseVersion } from "./migration-files.ts";

/** Version → `true` when it is unfinished. */
export type AppliedVersions = ReadonlyMap<string, boolean>;

export class AppliedState {
  readonly #call: CallMetadata;
  /** What other tools keep there stays. */
  #state: JsonObject;

  private constructor(call: CallMetadata, state: JsonObject) {
    this.#call = call;
    this.#state = state;
  }

  static async read(call: CallMetadata): Promise<AppliedState> {
    const answer = await call({ type: "get_catalog_state", args: {} });
    const state = isObject<Json>(answer) ? answer.cli_state : undefined;
    return new AppliedState(call, isObject<Json>(state) ? state : {});
  }

  /** @throws EngineError for a state that no tool of this kind has written */
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

  /** Stores what `change` makes of a database's versions. */
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
  const message = `the server's state of migrations of ${database} is not one that this tool writes`;
  return new EngineError("unexpected", "$", message);
}
