/** Converts the definitions of `actions.graphql` to metadata with source positions: actions and custom types. */

import {
  type ASTNode,
  type DefinitionNode,
  type EnumTypeDefinitionNode,
  type EnumValueDefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  Kind,
  print,
  type StringValueNode,
} from "graphql";
import type { Json } from "../../compiler/catalog/model.ts";
import type { Located, Locations, Place, SourceText } from "./locations.ts";

/** The lists of `custom_types`, in the order of the metadata document. */
export const customTypeLists = ["input_objects", "objects", "scalars", "enums"] as const;
export type CustomTypeList = (typeof customTypeLists)[number];

export type ActionType = "query" | "mutation";

export const actionRoots: Readonly<Record<string, ActionType>> = { Query: "query", Mutation: "mutation" };

/** The members of an action that its field defines. */
export interface SdlAction {
  readonly name: string;
  readonly definition: readonly (readonly [key: string, value: Located])[];
  readonly description: Located | undefined;
  readonly place: Place;
}

export interface SdlType {
  readonly list: CustomTypeList;
  readonly name: string;
  readonly members: readonly (readonly [key: string, value: Located])[];
  readonly place: Place;
}

type Entry = readonly [key: string, value: Located];

/** Receives parts of the definitions that are left out. */
export type ReportLeftOut = (place: Place, message: string) => void;

export class SdlReader {
  readonly #source: SourceText;
  readonly #locations: Locations;
  readonly #report: ReportLeftOut;

  /** @param source text of the definitions, for their source positions */
  constructor(source: SourceText, locations: Locations, report: ReportLeftOut) {
    this.#source = source;
    this.#locations = locations;
    this.#report = report;
  }

  /** Returns the actions of `Query` or `Mutation`, or one custom type. */
  read(node: DefinitionNode): { readonly actions: readonly SdlAction[]; readonly types: readonly SdlType[] } {
    switch (node.kind) {
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_EXTENSION: {
        const root = actionRoots[node.name.value];
        if (root !== undefined)
          return { actions: (node.fields ?? []).map((field) => this.#action(field, root)), types: [] };
        if (node.kind === Kind.OBJECT_TYPE_EXTENSION) break;
        if (node.interfaces?.length) {
          this.#report(this.#place(node), "interfaces are left out: custom types cannot implement them");
        }
        return this.#type(node, "objects", [["fields", this.#fields(node.fields ?? [], node)]]);
      }
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return this.#type(node, "input_objects", [["fields", this.#arguments(node.fields ?? [], node)]]);
      case Kind.SCALAR_TYPE_DEFINITION:
        return this.#type(node, "scalars", []);
      case Kind.ENUM_TYPE_DEFINITION:
        return this.#type(node, "enums", [["values", this.#enumValues(node)]]);
    }
    const message = `${kindText(node)} is left out: only object, input, enum and scalar types are supported`;
    this.#report(this.#place(node), message);
    return { actions: [], types: [] };
  }

  #action(field: FieldDefinitionNode, type: ActionType): SdlAction {
    const place = this.#place(field);
    const args = field.arguments ?? [];
    return {
      name: field.name.value,
      definition: [
        ["output_type", this.#located(field.type, print(field.type))],
        ...(args.length > 0 ? [["arguments", this.#arguments(args, field)] satisfies Entry] : []),
        ["type", { value: type, place }],
      ],
      description: this.#description(field)[0]?.[1],
      place,
    };
  }

  #type(
    node: DefinitionNode & { readonly name: { readonly value: string }; readonly description?: StringValueNode },
    list: CustomTypeList,
    members: readonly Entry[],
  ) {
    const type: SdlType = {
      list,
      name: node.name.value,
      members: [...this.#description(node), ...members],
      place: this.#place(node),
    };
    return { actions: [], types: [type] };
  }

  #fields(fields: readonly FieldDefinitionNode[], parent: ASTNode): Located {
    return this.#list(parent, fields, (field) => [
      ...this.#nameAndType(field),
      ...(field.arguments?.length ? [["arguments", this.#arguments(field.arguments, field)] satisfies Entry] : []),
    ]);
  }

  #arguments(args: readonly InputValueDefinitionNode[], parent: ASTNode): Located {
    return this.#list(parent, args, (argument) => {
      if (argument.defaultValue !== undefined) {
        const { value } = argument.name;
        this.#report(this.#place(argument), `the default value of ${value} is left out: actions do not support them`);
      }
      return this.#nameAndType(argument);
    });
  }

  #nameAndType(node: FieldDefinitionNode | InputValueDefinitionNode): readonly Entry[] {
    return [
      ["name", this.#located(node, node.name.value)],
      ["type", this.#located(node.type, print(node.type))],
      ...this.#description(node),
    ];
  }

  #enumValues(node: EnumTypeDefinitionNode): Located {
    return this.#list(node, node.values ?? [], (value: EnumValueDefinitionNode) => {
      const deprecated = value.directives?.some(({ name }) => name.value === "deprecated");
      return [
        ["value", this.#located(value, value.name.value)],
        ...this.#description(value),
        ...(deprecated ? [["is_deprecated", this.#located(value, true)] satisfies Entry] : []),
      ];
    });
  }

  #list<N extends ASTNode>(parent: ASTNode, nodes: readonly N[], entries: (node: N) => readonly Entry[]): Located {
    const items = nodes.map((node): Located => {
      const place = this.#place(node);
      return { value: this.#locations.object(entries(node), place), place };
    });
    const place = this.#place(parent);
    return { value: this.#locations.list(items, place), place };
  }

  #description(node: { readonly description?: StringValueNode | undefined }): readonly Entry[] {
    if (node.description === undefined) return [];
    return [["description", this.#located(node.description, node.description.value)]];
  }

  #located(node: ASTNode, value: Json): Located {
    return { value, place: this.#place(node) };
  }

  #place(node: ASTNode): Place {
    return { source: this.#source, offset: node.loc?.start ?? 0 };
  }
}

/** Returns the kind and name of a definition for messages, such as `the interface "Node"`. */
function kindText(node: DefinitionNode): string {
  const kind = node.kind.replace(/(?:Type)?(?:Definition|Extension)$/, "").toLowerCase();
  const name = "name" in node ? node.name?.value : undefined;
  return name === undefined ? `a definition of kind ${kind}` : `the ${kind} "${name}"`;
}
