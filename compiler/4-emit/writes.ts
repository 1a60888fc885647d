/** What one role may write to one table, in `roles/<role>/<source>/<schema>.<table>.ts`. */
import {
  type InputValidation,
  validateInput,
  type WebhookHeader,
} from "../../runtime/model/definitions/input-validation.ts";
import type { DeleteIr, InsertIr, PresetIr, RowFilterIr, UpdateIr, ViewIr } from "../3-lower/ir.ts";
import { conditionTemplate, mentions } from "./conditions.ts";
import { propertyAccess, stringLiteral, templateLiteral } from "./escape.ts";
import { declareFilter } from "./filters.ts";
import { exportName } from "./identifiers.ts";
import { type Code, call, group, object, sequence } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { tablePath, viewPath } from "./paths.ts";
import { member } from "./sources.ts";

/** Declares the write permissions and returns the members of the view that name them. */
export function declareWrites(module: ModuleBuilder, view: ViewIr): Code[] {
  const { insert, update, delete: remove } = view.writes;
  const emitter = new WritesEmitter(module, view);
  return [
    ...(insert ? [emitter.insert(insert)] : []),
    ...(update ? [emitter.update(update)] : []),
    ...(remove ? [emitter.delete(remove)] : []),
  ];
}

class WritesEmitter {
  readonly #module: ModuleBuilder;
  readonly #view: ViewIr;
  readonly #label: string;

  constructor(module: ModuleBuilder, view: ViewIr) {
    this.#module = module;
    this.#view = view;
    this.#label = `${view.table.schema}.${view.table.name}`;
  }

  insert(permission: InsertIr): Code {
    const { role } = this.#view;
    return this.#declare(
      "insert",
      "allowInsert",
      `insert into ${this.#label}${permission.check ? "" : ", without a check"}`,
      permission,
      [
        member("columns", this.#columns(permission.columns)),
        ...this.#presets(permission.presets),
        ...this.#filter("check", "insertCheck", `What holds for rows that role ${role} inserts`, permission.check),
        ...this.#nested(permission.nested),
        ...this.#validation(permission.validation),
      ],
    );
  }

  update(permission: UpdateIr): Code {
    const { role } = this.#view;
    return this.#declare(
      "update",
      "allowUpdate",
      `change in ${this.#label}${permission.filter ? "" : ", in every row"}`,
      permission,
      [
        member("columns", this.#columns(permission.columns)),
        ...this.#presets(permission.presets),
        ...this.#filter("filter", "updatable", `Rows that role ${role} may change`, permission.filter),
        ...this.#filter(
          "check",
          "updateCheck",
          `What holds for rows after role ${role} changed them`,
          permission.check,
        ),
        // Without a condition nothing else shows that upserts are free of the insert permission's check.
        ...(permission.hasEmptyCheck ? [member("hasCheck", "true")] : []),
        ...this.#validation(permission.validation),
      ],
    );
  }

  delete(permission: DeleteIr): Code {
    const { role } = this.#view;
    return this.#declare(
      "delete",
      "allowDelete",
      `delete from ${this.#label}${permission.filter ? "" : ", every row"}`,
      permission,
      [
        ...this.#filter("filter", "deletable", `Rows that role ${role} may delete`, permission.filter),
        ...this.#validation(permission.validation),
      ],
    );
  }

  /** @param may says, where no filter or check stands, that there is none: nothing else would show it */
  #declare(
    kind: "insert" | "update" | "delete",
    define: string,
    may: string,
    permission: { readonly comment?: string; readonly parent?: string; readonly backendOnly: boolean },
    properties: readonly Code[],
  ): Code {
    const { comment: own, parent, backendOnly } = permission;
    const members = [...properties, ...(backendOnly ? [member("backendOnly", "true")] : [])];
    const value = call(this.#module.support(define), ...(members.length === 0 ? [] : [object(members)]));
    const name = this.#module.local(kind === "delete" ? "remove" : kind);
    const comment = `What role ${this.#view.role} may ${may}.`;
    const inherited = parent === undefined ? comment : `${comment} Inherited from role ${parent}.`;
    this.#module.declare([inherited, ...(own === undefined ? [] : [own])], sequence(`const ${name} = `, value));
    return name === kind ? name : member(kind, name);
  }

  #columns(fields: readonly string[]): Code {
    if (fields.length === 0) return "[]";
    const columns = this.#module.import(tablePath(this.#view.table), "columns");
    return group(
      "[",
      fields.map((field) => propertyAccess(columns, field)),
      "]",
    );
  }

  #filter(key: string, name: string, comment: string, filter: RowFilterIr | undefined): Code[] {
    if (filter === undefined) return [];
    const declared = declareFilter(this.#module, { name, comment, table: this.#view.table }, filter);
    return [declared === key ? key : member(key, declared)];
  }

  /** `presets: [preset(`"author_id"`, (session) => sql`…`)]` */
  #presets(presets: readonly PresetIr[]): Code[] {
    if (presets.length === 0) return [];
    const module = this.#module;
    const items = presets.map(({ column, value }): Code => {
      const condition = { kind: "test", sql: value } as const;
      const sql = module.support("sql");
      const constant = mentions(condition, "constant") ? module.support("constant") : "";
      const [session = ""] = module.parameters(["session"]);
      const parameters = mentions(condition, "session") ? `(${session})` : "()";
      const template = conditionTemplate(
        condition,
        { sql, row: "", session, constant, wholeSession: "", elsewhere: () => "" },
        0,
      );
      return call(module.support("preset"), templateLiteral(column), `${parameters} => ${template}`);
    });
    return [member("presets", group("[", items, "]"))];
  }

  /** `validation: validateInput("https://{{HOST}}/check", { timeoutSeconds: 5 })` */
  #validation(validation: InputValidation | undefined): Code[] {
    if (validation === undefined) return [];
    const { url, headers, forwardClientHeaders, timeoutSeconds } = validation;
    const defaults = validateInput(url);
    const options = [
      ...(headers.length === 0 ? [] : [member("headers", group("[", headers.map(headerCode), "]"))]),
      ...(forwardClientHeaders ? [member("forwardClientHeaders", "true")] : []),
      ...(timeoutSeconds === defaults.timeoutSeconds ? [] : [member("timeoutSeconds", String(timeoutSeconds))]),
    ];
    const define = this.#module.support("validateInput");
    return [member("validation", call(define, stringLiteral(url), ...(options.length === 0 ? [] : [object(options)])))];
  }

  /** `nested: { author: nestedRow(joins.author, () => author) }` */
  #nested(nested: InsertIr["nested"]): Code[] {
    if (nested.length === 0) return [];
    const module = this.#module;
    const { role, table } = this.#view;
    const joins = module.import(tablePath(table), "joins");
    const members = nested.map(({ name, kind, target }) => {
      const path = viewPath(role, target);
      const isSelf = path === viewPath(role, table);
      const local = isSelf ? exportName(target.name) : module.import(path, exportName(target.name));
      const define = module.support(kind === "object" ? "nestedRow" : "nestedRows");
      return member(name, call(define, propertyAccess(joins, name), `() => ${local}`));
    });
    return [member("nested", object(members))];
  }
}

function headerCode(header: WebhookHeader): Code {
  const value =
    "value" in header
      ? member("value", stringLiteral(header.value))
      : member("valueFromEnv", stringLiteral(header.valueFromEnv));
  return object([member("name", stringLiteral(header.name)), value]);
}
