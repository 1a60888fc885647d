/** Emits the write permissions of one role on one table, as part of `roles/<role>/<source>/<schema>.<table>.ts`. */
import { type InputValidation, validateInput } from "../../runtime/model/definitions/input-validation.ts";
import type { DeleteIr, InsertIr, PresetIr, RowFilterIr, UpdateIr, ViewIr } from "../3-lower/ir.ts";
import { conditionTemplate, mentions } from "./conditions.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { declareFilter } from "./filters.ts";
import { exportName } from "./identifiers.ts";
import { jsonCode } from "./json-code.ts";
import { type Code, call, group, object, thunk } from "./layout.ts";
import type { ModuleBuilder } from "./module-builder.ts";
import { tablePath, viewPath } from "./paths.ts";
import { member, memberOf } from "./sources.ts";

/** Declares the write permissions and returns the members of the view that refer to them. */
export function declareWrites(module: ModuleBuilder, view: ViewIr): Code[] {
  const { insert, update, delete: remove } = view.writes;
  const emitter = new WritesEmitter(module, view);
  return [
    ...(insert ? [emitter.insert(insert)] : []),
    ...(update ? [emitter.update(update)] : []),
    ...(remove ? [emitter.delete(remove)] : []),
  ];
}

const permissionLabels = {
  insert: "Insert permission",
  update: "Update permission",
  delete: "Delete permission",
} as const;

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
    return this.#declare("insert", "allowInsert", permission.check ? "" : ", without a check", permission, [
      member("columns", this.#columns(permission.columns)),
      ...this.#presets(permission.presets),
      ...this.#filter("check", "insertCheck", `Check of rows that role ${role} inserts`, permission.check),
      ...this.#nested(permission.nested),
      ...this.#validation(permission.validation),
    ]);
  }

  update(permission: UpdateIr): Code {
    const { role } = this.#view;
    return this.#declare("update", "allowUpdate", permission.filter ? "" : ", for every row", permission, [
      member("columns", this.#columns(permission.columns)),
      ...this.#presets(permission.presets),
      ...this.#filter("filter", "updatable", `Rows that role ${role} may update`, permission.filter),
      ...this.#filter("check", "updateCheck", `Check of rows after an update by role ${role}`, permission.check),
      // Without a condition, nothing else shows that the insert permission's check does not apply to upserts.
      ...(permission.hasEmptyCheck ? [member("hasCheck", "true")] : []),
      ...this.#validation(permission.validation),
    ]);
  }

  delete(permission: DeleteIr): Code {
    const { role } = this.#view;
    return this.#declare("delete", "allowDelete", permission.filter ? "" : ", for every row", permission, [
      ...this.#filter("filter", "deletable", `Rows that role ${role} may delete`, permission.filter),
      ...this.#validation(permission.validation),
    ]);
  }

  /** @param scope text that mentions the absence of a filter or check, since nothing else in the module shows it */
  #declare(
    kind: "insert" | "update" | "delete",
    define: string,
    scope: string,
    permission: { readonly comment?: string; readonly parent?: string; readonly backendOnly: boolean },
    properties: readonly Code[],
  ): Code {
    const { comment: own, parent, backendOnly } = permission;
    const members = [...properties, ...(backendOnly ? [member("backendOnly", "true")] : [])];
    const value = call(this.#module.support(define), ...(members.length === 0 ? [] : [object(members)]));
    const name = this.#module.local(kind === "delete" ? "remove" : kind);
    const comment = `${permissionLabels[kind]} of role ${this.#view.role} on ${this.#label}${scope}.`;
    const inherited = parent === undefined ? comment : `${comment} Inherited from role ${parent}.`;
    this.#module.declare([inherited, ...(own === undefined ? [] : [own])], name, value);
    return name === kind ? name : member(kind, name);
  }

  #columns(fields: readonly string[]): Code {
    if (fields.length === 0) return "[]";
    const columns = this.#module.import(tablePath(this.#view.table), "columns");
    return group(
      "[",
      fields.map((field) => memberOf(columns, field)),
      "]",
    );
  }

  #filter(key: string, name: string, comment: string, filter: RowFilterIr | undefined): Code[] {
    if (filter === undefined) return [];
    const declared = declareFilter(this.#module, { name, comment, table: this.#view.table }, filter);
    return [declared === key ? key : member(key, declared)];
  }

  /** Emits `presets: [preset(`"author_id"`, (session) => sql`…`)]`. */
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
        { sql, row: "", session, constant, wholeSession: "", crossSource: () => "" },
        0,
      );
      return call(module.support("preset"), templateLiteral(column), `${parameters} => ${template}`);
    });
    return [member("presets", group("[", items, "]"))];
  }

  /** Emits `validation: validateInput("https://{{HOST}}/check", { timeoutSeconds: 5 })`. */
  #validation(validation: InputValidation | undefined): Code[] {
    if (validation === undefined) return [];
    const { url, headers, forwardClientHeaders, timeoutSeconds } = validation;
    const defaults = validateInput(url);
    const options = [
      ...(headers.length === 0 ? [] : [member("headers", jsonCode(this.#module, headers))]),
      ...(forwardClientHeaders ? [member("forwardClientHeaders", "true")] : []),
      ...(timeoutSeconds === defaults.timeoutSeconds ? [] : [member("timeoutSeconds", String(timeoutSeconds))]),
    ];
    const define = this.#module.support("validateInput");
    return [member("validation", call(define, stringLiteral(url), ...(options.length === 0 ? [] : [object(options)])))];
  }

  /** Emits `nested: { author: nestedRow(joins.author, () => author) }`. */
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
      return member(name, call(define, memberOf(joins, name), thunk(local)));
    });
    return [member("nested", object(members))];
  }
}
