/** Builds cache keys of plans from the schema and planning options. Successive plan caches share one instance. */
import type { PlanOptions } from "../model/planner/select/context.ts";
import type { RoleSchema } from "../model/schema/role-schema.ts";

/** The names of all planning options. */
const optionNames = Object.keys({
  stringifyNumbers: true,
  nullCollapse: true,
  holdStreamsBack: true,
  skipRemoteNulls: true,
  joinInSubscriptions: true,
} satisfies Record<keyof PlanOptions, true>) as readonly (keyof PlanOptions)[];

export class PlanKeys {
  readonly #schemas = new WeakMap<RoleSchema, number>();
  readonly #options = new WeakMap<PlanOptions, string>();
  #next = 0;

  newId(): number {
    return this.#next++;
  }

  /** Returns a key prefix that is unique to a schema and its planning options. */
  prefix(schema: RoleSchema, options: PlanOptions): string {
    let id = this.#schemas.get(schema);
    if (id === undefined) {
      id = this.newId();
      this.#schemas.set(schema, id);
    }
    return `${id} ${this.#optionsText(options)}`;
  }

  #optionsText(options: PlanOptions): string {
    let text = this.#options.get(options);
    if (text === undefined) {
      text = optionNames.map((name) => (options[name] === true ? "1" : "0")).join("");
      this.#options.set(options, text);
    }
    return text;
  }
}
