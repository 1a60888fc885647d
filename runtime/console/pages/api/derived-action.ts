/** Derives the SDL of an action from an operation: its variables are the arguments, and its selection is the output. */
import {
  type FieldNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  typeFromAST,
} from "graphql";

/**
 * Returns `null` for subscriptions, for operations whose first field the schema lacks, and without selected fields.
 * Fragments are left out.
 */
export function actionOfOperation(operation: OperationDefinitionNode, schema: GraphQLSchema): string | null {
  const { operation: kind, selectionSet } = operation;
  const root = kind === OperationTypeNode.SUBSCRIPTION ? undefined : schema.getRootType(kind);
  const field = selectionSet.selections.find((each): each is FieldNode => each.kind === Kind.FIELD);
  const definition = field && root?.getFields()[field.name.value];
  if (!root || !definition) return null;
  const name = nameOfAction(operation, field, [schema.getQueryType(), schema.getMutationType()]);
  const draft = new Draft(pascal(name));
  const args = (operation.variableDefinitions ?? []).flatMap(({ variable, type }) => {
    const found = typeFromAST(schema, type as never) as GraphQLInputType | undefined;
    return found ? `${variable.name.value}: ${draft.input(found)}` : [];
  });
  const output = draft.output(definition.type, field.selectionSet, "Output");
  if ([...draft.types.values()].some((text) => text.includes("{\n\n}"))) return null;
  const list = args.length === 0 ? "" : `(${args.join(", ")})`;
  const title = kind === OperationTypeNode.QUERY ? "Query" : "Mutation";
  return [`type ${title} {\n  ${name}${list}: ${output}\n}\n`, ...draft.types.values()].join("\n");
}

/** Returns the name of the operation, or one from its field, that no root field has. */
function nameOfAction(
  { name }: OperationDefinitionNode,
  field: FieldNode,
  roots: readonly (GraphQLObjectType | null | undefined)[],
): string {
  const wanted = name ? `${name.value.slice(0, 1).toLowerCase()}${name.value.slice(1)}` : field.name.value;
  const isTaken = roots.some((root) => root?.getFields()[wanted] !== undefined);
  return isTaken ? `${wanted}Action` : wanted;
}

/** `insert_book_one` → `InsertBookOne`. */
const pascal = (name: string): string =>
  name
    .split("_")
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join("");

class Draft {
  /** Texts of the types, by name. */
  readonly types = new Map<string, string>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Actions have types of their own. Nested rows are left out, because handlers rarely need them. */
  input(type: GraphQLInputType): string {
    const named = getNamedType(type);
    if (!isInputObjectType(named)) return this.#leaf(type, named);
    const name = `${this.#prefix}${pascal(named.name)}`;
    if (!this.types.has(name)) {
      this.types.set(name, "");
      const fields = Object.values(named.getFields()).filter((each) => isLeafType(getNamedType(each.type)));
      const lines = fields.map((each) => `  ${each.name}: ${this.#leaf(each.type, getNamedType(each.type))}`);
      this.types.set(name, `input ${name} {\n${lines.join("\n")}\n}\n`);
    }
    return renamed(type, named.name, name);
  }

  output(type: GraphQLOutputType, selection: SelectionSetNode | undefined, suffix: string): string {
    const named = getNamedType(type);
    if (!isObjectType(named) || !selection) return this.#leaf(type, named);
    const name = `${this.#prefix}${suffix}`;
    // Reserves the place before the types of its fields.
    this.types.set(name, "");
    const lines = selection.selections.flatMap((each) => {
      if (each.kind !== Kind.FIELD) return [];
      const field = named.getFields()[each.name.value];
      const key = each.alias?.value ?? each.name.value;
      return field ? `  ${key}: ${this.output(field.type, each.selectionSet, `${suffix}${pascal(key)}`)}` : [];
    });
    this.types.set(name, `type ${name} {\n${lines.join("\n")}\n}\n`);
    return renamed(type, named.name, name);
  }

  #leaf(type: GraphQLInputType | GraphQLOutputType, named: GraphQLNamedType): string {
    if (!isEnumType(named)) return String(type);
    const name = `${this.#prefix}${pascal(named.name)}`;
    const values = named.getValues().map((each) => `  ${each.name}`);
    this.types.set(name, `enum ${name} {\n${values.join("\n")}\n}\n`);
    return renamed(type, named.name, name);
  }
}

const renamed = (type: GraphQLInputType | GraphQLOutputType, from: string, to: string): string =>
  String(type).replace(from, to);
