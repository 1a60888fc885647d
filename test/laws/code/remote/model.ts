/** A remote server as plain data: its types, the part that a role may use, and their names in the engine. */

/** `[[Int!]]!` */
export type TypeText = string;

export interface Input {
  readonly name: string;
  readonly type: TypeText;
  /** As GraphQL text. */
  readonly default?: string;
}

export interface Field {
  readonly name: string;
  readonly type: TypeText;
  readonly args: readonly Input[];
}

export type Type = { readonly name: string } & (
  | { readonly kind: "scalar" }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "input"; readonly fields: readonly Input[] }
  | { readonly kind: "object" | "interface"; readonly interfaces: readonly string[]; readonly fields: readonly Field[] }
  | { readonly kind: "union"; readonly members: readonly string[] }
);

export type Types = ReadonlyMap<string, Type>;

/** A value that a permission sets. A text that begins with `x-engine-` is a session variable. */
export interface Preset {
  readonly type: string;
  readonly field: string;
  readonly argument?: string;
  readonly value: unknown;
  /** As GraphQL text. */
  readonly text: string;
}

export interface Permission {
  /** Types including preset arguments and fields. */
  readonly types: Types;
  readonly presets: readonly Preset[];
}

/** Maps names of the server to names of roles. */
export interface Naming {
  readonly type: (name: string) => string;
  readonly field: (type: string, field: string) => string;
}

export const nameIn = (type: TypeText): string => type.replace(/[[\]!]/g, "");

export function presetOf(presets: readonly Preset[], type: string, field: string, argument?: string) {
  return presets.find((each) => each.type === type && each.field === field && each.argument === argument);
}

const unchanged: Naming = { type: (name) => name, field: (_, field) => field };

interface PrintOptions {
  readonly naming?: Naming;
  readonly presets?: readonly Preset[];
  /** How presets are printed: with their directive, or omitted. */
  readonly preset?: "shown" | "left out";
}

/** Prints the types as SDL. */
export function printTypes(types: Types, { naming = unchanged, presets = [], preset }: PrintOptions = {}): string {
  const ref = (type: TypeText): string => type.replace(/\w+/, naming.type);
  const inputs = (list: readonly Input[], presetFor: (name: string) => Preset | undefined): string[] =>
    list.flatMap((input) => {
      const found = presetFor(input.name);
      if (found && preset === "left out") return [];
      const shown = found && preset === "shown" ? ` @preset(value: ${found.text})` : "";
      return `${input.name}: ${ref(input.type)}${input.default === undefined ? "" : ` = ${input.default}`}${shown}`;
    });
  const lines = [...types.values()].map((type) => {
    const name = naming.type(type.name);
    switch (type.kind) {
      case "scalar":
        return `scalar ${name}`;
      case "enum":
        return `enum ${name} { ${type.values.join(" ")} }`;
      case "union":
        return `union ${name} = ${type.members.map(naming.type).join(" | ")}`;
      case "input":
        return `input ${name} { ${inputs(type.fields, (field) => presetOf(presets, type.name, field)).join(" ")} }`;
      default: {
        const fields = type.fields.map((field) => {
          const args = inputs(field.args, (argument) => presetOf(presets, type.name, field.name, argument));
          const given = args.length === 0 ? "" : `(${args.join(", ")})`;
          return `${naming.field(type.name, field.name)}${given}: ${ref(field.type)}`;
        });
        const general =
          type.interfaces.length === 0 ? "" : ` implements ${type.interfaces.map(naming.type).join(" & ")}`;
        return `${type.kind === "object" ? "type" : "interface"} ${name}${general} { ${fields.join(" ")} }`;
      }
    }
  });
  const mutation = types.has("Mutation") ? ` mutation: ${naming.type("Mutation")}` : "";
  return `schema { query: ${naming.type("Query")}${mutation} }\n${lines.join("\n")}`;
}
