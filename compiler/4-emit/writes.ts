/** Emits the write permissions of one role on one table, as part of `roles/<role>/<source>/<schema>.<table>.ts`. */
import { type InputValidation, validateInput } from "../../runtime/model/definitions/input-validation.ts";
import type { DeleteIr, InsertIr, PresetIr, RowFilterIr, UpdateIr, ViewIr } from "../3-lower/ir.ts";
import { conditionTemplate, mentions } from "./conditions.ts";
import { stringLiteral, templateLiteral } from "./escape.ts";
import { declareFilter } from "./filters.ts";
import { exportName, nameOfRole } from "./identifiers.ts";
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

/** `delete` is a reserved word. */
const variable = (kind: Kind): string => (kind === "delete" ? "remove" : kind);

const permissionLabels = {
  insert: "Insert permission",
  update: "Update permission",
  delete: "Delete permission",
} as const;

/** A permission to declare. */
interface Declared {
  /** Name of the function that declares it. */
  readonly define: string;
  /** Text that mentions the absence of a filter or check, since nothing else in the module shows it. */
  readonly scope: string;
  readonly permission: { readonly comment?: string; readonly parent?: string; readonly backendOnly: boolean };
  readonly members: readonly Code[];
}

type Kind = keyof typeof permissionLabels;

class WritesEmitter {
  readonly #module: ModuleBuilder;
  readonly #view: ViewIr;
  readonly #label: string;
  /** Names of declared filters of merged permissions, so that equal ones are one constant. */
  readonly #shared = new Map<string, string>();

  constructor(module: ModuleBuilder, view: ViewIr) {
    this.#module = module;
    this.#view = view;
    this.#label = `${view.table.schema}.${view.table.name}`;
  }

  insert(permission: InsertIr): Code {
    if (permission.merged) {
      return this.#merge("insert", "anyInsertOf", permission, (part) => this.#insert(part, part.role));
    }
    return this.#permission("insert", this.#insert(permission));
  }

  update(permission: UpdateIr): Code {
    if (permission.merged) {
      return this.#merge("update", "anyUpdateOf", permission, (part) => this.#update(part, part.role));
    }
    return this.#permission("update", this.#update(permission));
  }

  delete(permission: DeleteIr): Code {
    if (permission.merged) {
      return this.#merge("delete", "anyDeleteOf", permission, (part) => this.#delete(part, part.role));
    }
    return this.#permission("delete", this.#delete(permission));
  }

  /** @param part the role of the permission, if it is a part of a merged one */
  #insert(permission: InsertIr, part?: string): Declared {
    const role = part ?? this.#view.role;
    return {
      define: "allowInsert",
      scope: permission.check ? "" : ", without a check",
      permission,
      members: [
        member("columns", this.#columns(permission.columns)),
        ...this.#presets(permission.presets),
        ...this.#filter("check", "insertCheck", `Check of rows that role ${role} inserts`, permission.check, part),
        ...this.#nested(permission.nested),
        ...this.#validation(permission.validation),
      ],
    };
  }

  #update(permission: UpdateIr, part?: string): Declared {
    const role = part ?? this.#view.role;
    const { filter, check } = permission;
    return {
      define: "allowUpdate",
      scope: filter ? "" : ", for every row",
      permission,
      members: [
        member("columns", this.#columns(permission.columns)),
        ...this.#presets(permission.presets),
        ...this.#filter("filter", "updatable", `Rows that role ${role} may update`, filter, part),
        ...this.#filter("check", "updateCheck", `Check of rows after an update by role ${role}`, check, part),
        // Without a condition, nothing else shows that the insert permission's check does not apply to upserts.
        ...(permission.hasEmptyCheck ? [member("hasCheck", "true")] : []),
        ...this.#validation(permission.validation),
      ],
    };
  }

  #delete(permission: DeleteIr, part?: string): Declared {
    const role = part ?? this.#view.role;
    return {
      define: "allowDelete",
      scope: permission.filter ? "" : ", for every row",
      permission,
      members: [
        ...this.#filter("filter", "deletable", `Rows that role ${role} may delete`, permission.filter, part),
        ...this.#validation(permission.validation),
      ],
    };
  }

  /** Declares the permission of the view and returns its member. */
  #permission(kind: Kind, { scope, ...declared }: Declared): Code {
    const { parent } = declared.permission;
    const comment = `${this.#title(kind, this.#view.role)}${scope}.`;
    const inherited = parent === undefined ? comment : `${comment} Inherited from role ${parent}.`;
    return this.#member(kind, this.#declare(variable(kind), inherited, declared));
  }

  /** Declares the parts of a merged permission and the permission, and returns the member of the view. */
  #merge<P extends { readonly role: string }>(
    kind: Kind,
    define: string,
    { merged, parent }: { readonly merged?: readonly P[]; readonly parent?: string },
    declare: (part: P) => Declared,
  ): Code {
    const parts = (merged ?? []).map((part) => {
      const { scope, ...declared } = declare(part);
      const name = nameOfRole(`${variable(kind)}Of`, part.role);
      return this.#declare(name, `${this.#title(kind, part.role)}${scope}.`, declared);
    });
    const roles = (merged ?? []).map(({ role }) => role).join(", ");
    const inherited = parent === undefined ? "" : ` Inherited from role ${parent}.`;
    const comment = `${this.#title(kind, this.#view.role)}.${inherited} Merged from roles ${roles}: each change needs one of them.`;
    const name = this.#module.local(variable(kind));
    this.#module.declare([comment], name, call(this.#module.support(define), ...parts));
    return this.#member(kind, name);
  }

  #title(kind: Kind, role: string): string {
    return `${permissionLabels[kind]} of role ${role} on ${this.#label}`;
  }

  #declare(preferred: string, title: string, { define, permission, members }: Omit<Declared, "scope">) {
    const { comment, backendOnly } = permission;
    const all = [...members, ...(backendOnly ? [member("backendOnly", "true")] : [])];
    const value = call(this.#module.support(define), ...(all.length === 0 ? [] : [object(all)]));
    const name = this.#module.local(preferred);
    this.#module.declare([title, ...(comment === undefined ? [] : [comment])], name, value);
    return name;
  }

  #member(kind: Kind, name: string): Code {
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

  /** @param part the role of the permission, if it is a part of a merged one */
  #filter(key: string, name: string, comment: string, filter: RowFilterIr | undefined, part?: string): Code[] {
    if (filter === undefined) return [];
    const shared = part === undefined ? undefined : JSON.stringify([name, filter.condition]);
    const known = shared && this.#shared.get(shared);
    const preferred = part === undefined ? name : nameOfRole(`${name}Of`, part);
    const { role, table } = this.#view;
    const declaration = { name: preferred, comment, table, views: { role, source: table.source } };
    const declared = known ?? declareFilter(this.#module, declaration, filter);
    if (shared) this.#shared.set(shared, declared);
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
        { sql, row: "", session, constant, wholeSession: "", crossSource: () => "", readable: () => "" },
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
