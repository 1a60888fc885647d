/**
 * Prints a query as text with variables. Equivalent texts vary: values as literals or variables, whole arguments as
 * variables, parts in fragments or under directives, repeated fields.
 */
import type { Choices } from "./choices.ts";
import { alias, conditionInput, groupOrderInput, keyInput, keyText, nest } from "./group-text.ts";
import { filterInput, type Input, inputJson, literal } from "./input.ts";
import { rootField, type Table } from "./model.ts";
import type {
  AggregateField,
  AggregateValue,
  Field,
  GroupField,
  ListArguments,
  OrderItem,
  OrderTerm,
} from "./query.ts";

export interface RequestText {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export function writeQuery(choices: Choices, fields: readonly Field[]): RequestText {
  return new Writer(choices).write(fields);
}

/** One member of a selection. */
interface Written {
  readonly text: string;
  /** True if the part may be written twice with the same effect. */
  readonly repeatable: boolean;
}

class Writer {
  readonly #choices: Choices;
  readonly #declarations: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  readonly #fragments: string[] = [];

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  write(fields: readonly Field[]): RequestText {
    const selection = this.#selection(
      "query_root",
      fields.map((field) => this.#field(field)),
    );
    const declarations = this.#declarations.length === 0 ? "" : `(${this.#declarations.join(", ")})`;
    const query = [`query Law${declarations} ${selection}`, ...this.#fragments].join("\n");
    return { query, variables: this.#variables };
  }

  #variable(type: string, value: unknown): string {
    const name = `v${this.#declarations.length}`;
    const isDefault = this.#choices.chance(10) && !type.includes("_") && !type.startsWith("[");
    this.#declarations.push(`$${name}: ${type}${isDefault ? ` = ${literal(value)}` : ""}`);
    if (!isDefault) this.#variables[name] = value;
    return `$${name}`;
  }

  #input(input: Input): string {
    switch (input.kind) {
      case "object":
        return `{${input.members.map(([name, value]) => `${name}: ${this.#input(value)}`).join(", ")}}`;
      case "list":
        // A list with a single item may be written without brackets.
        if (input.items.length === 1 && input.items[0]?.kind === "object" && this.#choices.chance(20)) {
          return this.#input(input.items[0]);
        }
        return `[${input.items.map((item) => this.#input(item)).join(", ")}]`;
      case "enum":
        return input.name;
      case "value": {
        const { type, value } = input;
        if (type !== undefined && this.#choices.chance(30)) return this.#variable(`${type}!`, value);
        return literal(value);
      }
    }
  }

  /** Writes an argument, sometimes as one variable. */
  #argument(name: string, input: Input, type: string): string {
    return `${name}: ${this.#choices.chance(20) ? this.#variable(type, inputJson(input)) : this.#input(input)}`;
  }

  #selection(type: string, members: readonly Written[]): string {
    const choices = this.#choices;
    const written = members.map(({ text, repeatable }) => {
      const kind = choices.number(0, 24);
      if (kind === 24) return `... on ${type} { ${text} }`;
      if (kind === 23) return `... { ${text} }`;
      if (kind === 22) return this.#fragment(type, text);
      if (kind === 21) return `... @include(if: ${this.#boolean(true)}) { ${text} }`;
      if (kind === 20 && repeatable) return `${text} ${text}`;
      if (kind === 19) return `${text} ${this.#absent(type, text)}`;
      return text;
    });
    return `{ ${written.join(" ")} }`;
  }

  #fragment(type: string, text: string): string {
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type} { ${text} }`);
    return `...${name}`;
  }

  /** Writes parts that are excluded from the result. */
  #absent(type: string, text: string): string {
    const kind = this.#choices.number(0, 3);
    if (kind === 3) return `... on other_type { ${text} }`;
    if (kind === 2) return `... on ${type} @skip(if: ${this.#boolean(true)}) { absent: __typename }`;
    const directive = kind === 1 ? `@skip(if: ${this.#boolean(true)})` : `@include(if: ${this.#boolean(false)})`;
    return `absent: __typename ${directive}`;
  }

  #boolean(value: boolean): string {
    return this.#choices.chance(50) ? this.#variable("Boolean!", value) : String(value);
  }

  #field(field: Field): Written {
    switch (field.kind) {
      case "typename":
        return { text: alias(field.key, "__typename"), repeatable: true };
      case "column": {
        const path = field.path === undefined ? "" : `(path: ${this.#path(field.path)})`;
        return { text: `${alias(field.key, field.column.name)}${path}`, repeatable: field.path === undefined };
      }
      case "object": {
        const { name, target } = field.relationship;
        const head = alias(field.key, name);
        const members = field.fields.map((inner) => this.#field(inner));
        // The members of two selections of a field are merged into one selection.
        const split = members.length > 1 && this.#choices.chance(20) ? 1 : members.length;
        const parts = [members.slice(0, split), members.slice(split)].filter((part) => part.length > 0);
        const text = parts.map((part) => `${head} ${this.#selection(target, part)}`).join(" ");
        return { text, repeatable: false };
      }
      case "list": {
        const { key, rows, args, fields } = field;
        const head = alias(key, rows.relationship?.name ?? rootField(rows.table));
        const selection = this.#selection(
          rows.table.name,
          fields.map((inner) => this.#field(inner)),
        );
        return { text: `${head}${this.#listArguments(rows.table, args)} ${selection}`, repeatable: false };
      }
      case "aggregate":
        return { text: this.#aggregate(field), repeatable: false };
      case "group":
        return { text: this.#groups(field), repeatable: false };
      case "by_pk": {
        const { key, table, values, fields } = field;
        const keys = table.key.map(({ name, type }, i): readonly [string, Input] => {
          return [name, { kind: "value", value: values[i], type: type.graphql }];
        });
        const args = keys.map(([name, value]) => `${name}: ${this.#input(value)}`).join(", ");
        const selection = this.#selection(
          table.name,
          fields.map((inner) => this.#field(inner)),
        );
        return { text: `${alias(key, `${table.name}_by_pk`)}(${args}) ${selection}`, repeatable: false };
      }
    }
  }

  #path(path: readonly (string | number)[]): string {
    const written = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
    return JSON.stringify(this.#choices.chance(50) ? `$${written}` : written.replace(/^\./, ""));
  }

  #listArguments(table: Table, { where, orderBy, distinctOn, topPer, limit, offset }: ListArguments): string {
    const args: string[] = [];
    if (where) args.push(this.#argument("where", filterInput(where), `${table.name}_bool_exp`));
    if (orderBy.length > 0) {
      const input: Input = { kind: "list", items: orderBy.map(orderInput) };
      args.push(this.#argument("order_by", input, `[${table.name}_order_by!]`));
    }
    if (distinctOn.length > 0) {
      const items = distinctOn.map(({ name }): Input => ({ kind: "enum", name }));
      args.push(this.#argument("distinct_on", { kind: "list", items }, `[${table.name}_select_column!]`));
    }
    if (topPer !== undefined) {
      const columns: Input = { kind: "list", items: topPer.columns.map(({ name }) => ({ kind: "enum", name })) };
      const most: Input = { kind: "value", value: topPer.limit, type: "Int" };
      const input: Input = {
        kind: "object",
        members: [
          ["columns", columns],
          ["limit", most],
        ],
      };
      args.push(this.#argument("top_per", input, `${table.name}_top_per`));
    }
    const limitName = table.place === "server" ? "first" : "limit";
    if (limit !== undefined) args.push(`${limitName}: ${this.#input({ kind: "value", value: limit, type: "Int" })}`);
    if (offset !== undefined) args.push(`offset: ${this.#input({ kind: "value", value: offset, type: "Int" })}`);
    return args.length === 0 ? "" : `(${args.join(", ")})`;
  }

  #aggregate({ key, rows, args, parts }: AggregateField): string {
    const type = rows.table.name;
    const head = alias(key, `${rows.relationship?.name ?? type}_aggregate`);
    const members = parts.map((part): Written => {
      if (part.kind === "typename") return { text: alias(part.key, "__typename"), repeatable: true };
      if (part.kind === "nodes") {
        const selection = this.#selection(
          type,
          part.fields.map((inner) => this.#field(inner)),
        );
        return { text: `${alias(part.key, "nodes")} ${selection}`, repeatable: false };
      }
      const values = part.values.map((value) => this.#value(value, rows.table));
      const selection = this.#selection(`${type}_aggregate_fields`, values);
      return { text: `${alias(part.key, "aggregate")} ${selection}`, repeatable: true };
    });
    return `${head}${this.#listArguments(rows.table, args)} ${this.#selection(`${type}_aggregate`, members)}`;
  }

  #groups({ key, rows, where, by, having, conditions, orderBy, limit, offset, parts }: GroupField): string {
    const type = rows.table.name;
    const keys: Input = { kind: "list", items: by.map(keyInput) };
    const args = [this.#argument("by", keys, `[${type}_aggregate_group_by!]!`)];
    const of = (value: number): Input => ({ kind: "value", value, type: "Int" });
    if (where) args.push(this.#argument("where", filterInput(where), `${type}_bool_exp`));
    const least: readonly Input[] = having === undefined ? [] : [nest(["count", "predicate", "_gte"], of(having))];
    const all = [...least, ...conditions.map((condition) => conditionInput(condition, rows.table))];
    const [only, ...others] = all;
    const kept: Input = others.length > 0 || !only ? nest(["_and"], { kind: "list", items: all }) : only;
    if (only) args.push(this.#argument("having", kept, `${type}_aggregate_group_having`));
    if (orderBy.length > 0) {
      const order: Input = { kind: "list", items: orderBy.map((item) => groupOrderInput(item, rows.table)) };
      args.push(this.#argument("order_by", order, `[${type}_aggregate_group_order_by!]`));
    }
    if (limit !== undefined) args.push(`limit: ${this.#input(of(limit))}`);
    if (offset !== undefined) args.push(`offset: ${this.#input(of(offset))}`);
    const members = parts.map((part): Written => {
      if (part.kind === "keys")
        return { text: `${alias(part.key, "key")} { ${by.map(keyText).join(" ")} }`, repeatable: true };
      if (part.kind === "aggregate") {
        const values = part.values.map((value) => this.#value(value, rows.table));
        const filter = part.filter ? `(${this.#argument("filter", filterInput(part.filter), `${type}_bool_exp`)})` : "";
        return {
          text: `${alias(part.key, "aggregate")}${filter} ${this.#selection(`${type}_aggregate_fields`, values)}`,
          repeatable: filter === "",
        };
      }
      const ofNodes = this.#listArguments(rows.table, {
        ...{ where: undefined, distinctOn: [], topPer: undefined, limit: part.limit, offset: part.offset },
        orderBy: [{ by: { kind: "column", column: rows.table.tie }, direction: "asc" }],
      });
      const selection = this.#selection(
        type,
        part.fields.map((inner) => this.#field(inner)),
      );
      return { text: `${alias(part.key, "nodes")}${ofNodes} ${selection}`, repeatable: false };
    });
    const head = alias(key, `${rows.relationship?.name ?? type}_group`);
    return `${head}(${args.join(", ")}) ${this.#selection(`${type}_aggregate_group`, members)}`;
  }

  #value(value: AggregateValue, table: Table): Written {
    if (value.kind === "typename") return { text: alias(value.key, "__typename"), repeatable: true };
    if (value.kind === "function") {
      const columns = value.columns.map(({ key, column }) => ({ text: alias(key, column.name), repeatable: true }));
      const selection = this.#selection(`${table.name}_${value.name}_fields`, columns);
      return { text: `${alias(value.key, value.name)} ${selection}`, repeatable: true };
    }
    if (value.kind === "texts") {
      const order = `order_by: {${table.tie.name}: asc}`;
      const separator = this.#input({ kind: "value", value: value.separator, type: "String" });
      const text = `${alias(value.key, "string_agg")}(column: ${value.column.name}, separator: ${separator}, ${order})`;
      return { text, repeatable: false };
    }
    if (value.kind === "booleans") {
      return { text: `${alias(value.key, value.name)}(column: ${value.column.name})`, repeatable: false };
    }
    if (value.kind === "percentile") {
      const fraction = this.#input({ kind: "value", value: value.fraction, type: "Float" });
      const text = `${alias(value.key, "percentile_cont")}(column: ${value.column.name}, fraction: ${fraction})`;
      return { text, repeatable: false };
    }
    const args: string[] = [];
    if (value.columns.length > 0) {
      const items = value.columns.map(({ name }): Input => ({ kind: "enum", name }));
      args.push(this.#argument("columns", { kind: "list", items }, `[${table.name}_select_column!]`));
    }
    if (value.distinct) args.push(`distinct: ${this.#boolean(true)}`);
    const written = args.length === 0 ? "" : `(${args.join(", ")})`;
    return { text: `${alias(value.key, "count")}${written}`, repeatable: written === "" };
  }
}

function orderInput({ by, direction }: OrderItem): Input {
  return { kind: "object", members: [termInput(by, { kind: "enum", name: direction })] };
}

function termInput(term: OrderTerm, direction: Input): readonly [string, Input] {
  const object = (name: string, value: readonly [string, Input]): readonly [string, Input] => [
    name,
    { kind: "object", members: [value] },
  ];
  switch (term.kind) {
    case "column":
      return [term.column.name, direction];
    case "object":
      return object(term.relationship.name, termInput(term.by, direction));
    case "count":
      return object(`${term.relationship.name}_aggregate`, ["count", direction]);
    case "function":
      return object(`${term.relationship.name}_aggregate`, object(term.name, [term.column.name, direction]));
  }
}
