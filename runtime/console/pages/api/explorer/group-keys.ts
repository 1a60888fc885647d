/**
 * The argument `by` of groups. One key is a column, with its members, or `related` with a key of one related row: a new
 * member replaces the members that it excludes, and the field of `key` that selected them.
 */
import {
  type FieldNode,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isRequiredInputField,
  Kind,
  type ObjectValueNode,
  parseValue,
  type SelectionNode,
  type ValueNode,
} from "graphql";

/** Returns true for the type of a key: `{column, related, …}`. */
function isKeyType(type: GraphQLNamedType): type is GraphQLInputObjectType {
  if (!isInputObjectType(type)) return false;
  const { column, related } = type.getFields();
  const isColumn = column !== undefined && !isRequiredInputField(column) && isEnumType(getNullableType(column.type));
  return isColumn && related !== undefined && isInputObjectType(getNamedType(related.type));
}

/** Returns true for the type of `related`, whose members are relationships with keys. */
function isRelatedType(type: GraphQLNamedType): type is GraphQLInputObjectType {
  if (!isInputObjectType(type)) return false;
  const members = Object.values(type.getFields());
  return members.length > 0 && members.every(({ type: member }) => isKeyType(getNamedType(member)));
}

/** Returns the member of a new key, or of a new key of a related row; `undefined` for other types. */
export function firstMember(type: GraphQLNamedType): string | undefined {
  if (isKeyType(type)) return "column";
  return isRelatedType(type) ? Object.keys(type.getFields())[0] : undefined;
}

/** Returns true if a new member of an object excludes the members that it has. */
export function excludesOthers(type: GraphQLNamedType, name: string, { fields }: ObjectValueNode): boolean {
  if (fields.length === 0) return false;
  if (isRelatedType(type)) return true;
  return isKeyType(type) && (name === "related" || fields.some((field) => field.name.value === "related"));
}

/** Returns the names of the fields that select a key; `undefined` for keys that are derived from a column. */
function fieldsOfKey(key: ValueNode): readonly string[] | undefined {
  if (key.kind !== Kind.OBJECT || key.fields.length !== 1) return undefined;
  const [{ name, value } = { name: undefined, value: undefined }] = key.fields;
  if (name?.value === "column") return value?.kind === Kind.ENUM ? [value.value] : undefined;
  const [relationship, ...others] = name?.value === "related" && value?.kind === Kind.OBJECT ? value.fields : [];
  if (!relationship || others.length > 0) return undefined;
  const inside = fieldsOfKey(relationship.value);
  return inside && [relationship.name.value, ...inside];
}

/** A selection, and the text that replaces it. */
interface ReplacedSelection {
  readonly node: SelectionNode;
  readonly insert: string;
}

/**
 * Returns the field of `key` that selects a replaced key, with the field of the new key.
 * @param field field with the groups
 * @param text text of the new key
 */
export function replacedSelection(field: FieldNode, replaced: ValueNode, text: string): ReplacedSelection | undefined {
  const [before, after] = [fieldsOfKey(replaced), fieldsOfKey(parseValue(text))];
  if (!before || !after) return undefined;
  let node: SelectionNode | undefined = field;
  for (const name of ["key", ...before].slice(0, 2)) {
    const selections: readonly SelectionNode[] = node?.kind === Kind.FIELD ? (node.selectionSet?.selections ?? []) : [];
    node = selections.find((each) => each.kind === Kind.FIELD && each.name.value === name);
  }
  return node && { node, insert: after.reduceRight((inside, name) => (inside ? `${name} { ${inside} }` : name), "") };
}
