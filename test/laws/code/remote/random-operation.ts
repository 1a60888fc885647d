/** Random operations on the types that a role sees, most of them valid. */
import type { Choices } from "../../choices.ts";
import { type Field, type Input, type Naming, nameIn, type Permission, presetOf, type Type } from "./model.ts";

export interface Operation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export function randomOperation(choices: Choices, permission: Permission, naming: Naming): Operation {
  return new OperationMaker(choices, permission, naming).make();
}

class OperationMaker {
  readonly #choices: Choices;
  readonly #permission: Permission;
  readonly #naming: Naming;
  readonly #declared: string[] = [];
  readonly #values: Record<string, unknown> = {};
  readonly #fragments: string[] = [];

  constructor(choices: Choices, permission: Permission, naming: Naming) {
    this.#choices = choices;
    this.#permission = permission;
    this.#naming = naming;
  }

  make(): Operation {
    const mutation = this.#permission.types.get("Mutation");
    const isMutation = mutation !== undefined && this.#choices.chance(20);
    const root = this.#permission.types.get(isMutation ? "Mutation" : "Query");
    const fields = root?.kind === "object" ? root.fields : [];
    const selected = this.#choices.list(1, 2, () => this.#field("", this.#choices.pick(fields), root?.name ?? "", 3));
    const declared = this.#declared.length === 0 ? "" : `(${this.#declared.join(", ")})`;
    const kind = isMutation ? "mutation" : "query";
    const name = this.#choices.chance(20) ? " Named" : "";
    return {
      query: `${kind}${name}${declared} { ${selected.join(" ")} }\n${this.#fragments.join("\n")}`,
      variables: this.#values,
    };
  }

  #field(alias: string, field: Field, owner: string, depth: number): string {
    const args = field.args.flatMap((input) => {
      if (presetOf(this.#permission.presets, owner, field.name, input.name)) return [];
      if (!isRequired(input) && this.#choices.chance(50)) return [];
      return `${input.name}: ${this.#value(input, depth)}`;
    });
    const given = args.length === 0 ? "" : `(${args.join(", ")})`;
    const type = this.#permission.types.get(nameIn(field.type));
    const isComposite = type?.kind === "object" || type?.kind === "interface" || type?.kind === "union";
    const selection = isComposite ? ` { ${this.#selection(type, depth - 1)} }` : "";
    const key = alias !== "" ? alias : this.#choices.chance(25) ? `${this.#choices.pick(["a", "b", "c"])}: ` : "";
    return `${key}${this.#naming.field(owner, field.name)}${given}${this.#directive()}${selection}`;
  }

  #selection(type: Type, depth: number): string {
    const parts = this.#choices.list(1, depth <= 0 ? 1 : 4, () => this.#part(type, depth));
    return parts.join(" ");
  }

  #part(type: Type, depth: number): string {
    const fields = type.kind === "object" || type.kind === "interface" ? type.fields : [];
    const simple = depth <= 0 ? fields.filter((field) => !this.#isComposite(field)) : fields;
    if (this.#choices.chance(15) || (simple.length === 0 && depth <= 0)) {
      return this.#choices.chance(30) ? "kind: __typename" : "__typename";
    }
    if (simple.length === 0 || this.#choices.chance(25)) return this.#fragment(type, depth);
    return this.#field("", this.#choices.pick(simple), type.name, depth);
  }

  #fragment(type: Type, depth: number): string {
    const objects = this.#objectsOf(type);
    const overlapping = [...this.#permission.types.values()].filter((other) => {
      return this.#objectsOf(other).some((name) => objects.includes(name));
    });
    const on = this.#choices.pick(overlapping);
    const condition = this.#naming.type(on.name);
    const selection = this.#selection(on, depth - 1);
    if (this.#choices.chance(60)) return `... on ${condition}${this.#directive()} { ${selection} }`;
    const name = `part${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${condition} { ${selection} }`);
    return `...${name}${this.#directive()}`;
  }

  #objectsOf(type: Type): readonly string[] {
    if (type.kind === "object") return [type.name];
    if (type.kind === "union") return type.members;
    if (type.kind !== "interface") return [];
    return [...this.#permission.types.values()].flatMap((each) =>
      each.kind === "object" && each.interfaces.includes(type.name) ? [each.name] : [],
    );
  }

  #isComposite(field: Field): boolean {
    const kind = this.#permission.types.get(nameIn(field.type))?.kind;
    return kind === "object" || kind === "interface" || kind === "union";
  }

  #directive(): string {
    if (!this.#choices.chance(10)) return "";
    const directive = this.#choices.pick(["include", "skip"]);
    if (this.#choices.chance(50)) return ` @${directive}(if: ${this.#choices.chance(50)})`;
    return ` @${directive}(if: ${this.#variable("Boolean!", undefined, this.#choices.chance(50))})`;
  }

  #value(input: Input, depth: number): string {
    const json = this.#json(input.type, depth);
    if (this.#choices.chance(40)) {
      const type = input.type.replace(/\w+/, this.#naming.type);
      const laxer = input.default !== undefined && this.#choices.chance(30) ? type.replace(/!$/, "") : type;
      const stricter = !laxer.endsWith("!") && json !== null && this.#choices.chance(30) ? `${laxer}!` : laxer;
      const standard =
        !stricter.endsWith("!") && this.#choices.chance(20) ? this.#literal(json, input.type) : undefined;
      if (standard !== undefined && json !== null && this.#choices.chance(50))
        return this.#variable(stricter, standard);
      return this.#variable(stricter, standard, json);
    }
    return this.#literal(json, input.type);
  }

  #variable(type: string, standard?: string, value?: unknown): string {
    const name = `var${this.#declared.length}`;
    this.#declared.push(`$${name}: ${type}${standard === undefined ? "" : ` = ${standard}`}`);
    if (value !== undefined) this.#values[name] = value;
    return `$${name}`;
  }

  #json(type: string, depth: number): unknown {
    if (!type.endsWith("!") && this.#choices.chance(10)) return null;
    const bare = type.replace(/!$/, "");
    if (bare.startsWith("[")) {
      const items = this.#choices.list(0, 2, () => this.#json(bare.slice(1, -1), depth - 1));
      return items;
    }
    const found = this.#permission.types.get(bare);
    if (found?.kind === "enum") return this.#choices.pick(found.values);
    if (found?.kind === "input") {
      const fields = found.fields.flatMap((input) => {
        if (presetOf(this.#permission.presets, found.name, input.name)) return [];
        if (!isRequired(input) && (depth <= 0 || this.#choices.chance(50))) return [];
        return [[input.name, this.#json(input.type, depth - 1)] as const];
      });
      return Object.fromEntries(fields);
    }
    switch (bare) {
      case "Int":
        return this.#choices.number(-9, 9);
      case "Float":
        return this.#choices.number(-9, 9) / 2;
      case "Boolean":
        return this.#choices.chance(50);
      case "Anything":
        return this.#choices.pick<unknown>([1, "text", true, { deep: [1, { x: null }] }, [[]]]);
      default:
        return this.#choices.pick(["", "text", 'q"\\\n}) { x', "\u2028ü"]);
    }
  }

  #literal(json: unknown, type: string): string {
    const bare = type.replace(/!$/, "");
    if (json === null) return "null";
    if (Array.isArray(json)) {
      const item = bare.startsWith("[") ? bare.slice(1, -1) : "Anything";
      return `[${json.map((each) => this.#literal(each, item)).join(", ")}]`;
    }
    if (typeof json === "object") {
      const found = this.#permission.types.get(bare);
      const typeOf = (name: string): string =>
        (found?.kind === "input" && found.fields.find((each) => each.name === name)?.type) || "Anything";
      return `{${Object.entries(json)
        .map(([name, value]) => `${name}: ${this.#literal(value, typeOf(name))}`)
        .join(", ")}}`;
    }
    if (typeof json === "string" && this.#permission.types.get(bare)?.kind === "enum") return json;
    return JSON.stringify(json);
  }
}

const isRequired = (input: Input): boolean => input.type.endsWith("!") && input.default === undefined;
