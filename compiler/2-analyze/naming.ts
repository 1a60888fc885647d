/**
 * Builds names of root fields and columns, and the base names of types, from names of the metadata and the database, in
 * the naming convention of the source and with its prefix and suffix. `runtime/model/definitions/naming.ts` derives the
 * names of further types, such as aggregates, from the base name.
 */

import { affixed, camelCase, pascalCase, splitWords, upperFirst } from "../../runtime/model/definitions/naming.ts";
import type {
  CustomRootField,
  QualifiedName,
  RootFieldKey,
  Source,
  TableConfig,
  TrackedFunction,
} from "../catalog/model.ts";
import { rootFieldKeys } from "../catalog/model.ts";
import { isGraphqlName } from "../catalog/schema/scalars.ts";
import type { AnalysisOptions, AnalyzedSource } from "./analysis.ts";
import type { RootFieldName } from "./analyzed-table.ts";

export interface Naming {
  readonly convention: AnalyzedSource["namingConvention"];
  /** Schema whose name is left out of default names. */
  readonly defaultSchema: string;
  /** Prefix of root field names. */
  readonly prefix: string;
  readonly suffix: string;
}

/** Base of an object's names: custom, or derived from its name in the database. */
export interface BaseName {
  readonly text: string;
  readonly custom: boolean;
}

/** Returns the naming rules of a source. `graphql-default` requires the experimental feature. */
export function namingOf({ customization }: Source, defaultSchema: string, options: AnalysisOptions): Naming {
  const wanted = customization?.naming_convention ?? options.defaultNamingConvention;
  const { prefix = "", suffix = "" } = customization?.root_fields ?? {};
  const convention = options.experimentalFeatures.has("naming_convention") ? wanted : "engine-default";
  return { convention, defaultSchema, prefix, suffix };
}

/**
 * Returns the base of a table's or function's names; `null` if the name is not valid in GraphQL and there is no custom
 * name.
 */
export function baseName(naming: Naming, name: QualifiedName, customName: string | null | undefined): BaseName | null {
  if (customName != null) return { text: customName, custom: true };
  const text = name.schema === naming.defaultSchema ? name.name : `${name.schema}_${name.name}`;
  return isGraphqlName(text) ? { text, custom: false } : null;
}

export function typeName({ convention }: Naming, base: BaseName): string {
  if (convention === "engine-default" || base.custom) return base.text;
  return pascalCase(base.text);
}

/**
 * Returns the field name of a column; `null` if it has no custom name and its own name is invalid in GraphQL or is
 * `__typename`, which every object has.
 */
export function columnField(
  { convention }: Naming,
  column: string,
  customName: string | null | undefined,
): string | null {
  if (customName != null) return customName;
  return isGraphqlName(column) && column !== "__typename" ? automaticField(convention, column) : null;
}

/** Returns the default GraphQL name for a database name. */
export function automaticField(convention: Naming["convention"], name: string): string {
  return convention === "engine-default" ? name : camelCase(name);
}

/**
 * Yields a message for each name that several texts map to.
 * @param message builds the message from the quoted texts and the name
 */
export function* clashes(
  texts: readonly string[],
  nameOf: (text: string) => string,
  message: (texts: string, name: string) => string,
): Generator<string> {
  const byName = new Map<string, string[]>();
  for (const text of texts) {
    const name = nameOf(text);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [text]);
    else same.push(text);
  }
  for (const [name, same] of byName) {
    if (same.length > 1) yield message(same.map((text) => `"${text}"`).join(" and "), name);
  }
}

/** Words before and after the base in the default name of a root field. */
const rootFieldWords: Readonly<Record<RootFieldKey, { readonly before?: string; readonly after?: string }>> = {
  select: {},
  select_by_pk: { after: "by_pk" },
  select_aggregate: { after: "aggregate" },
  select_group: { after: "group" },
  select_stream: { after: "stream" },
  insert: { before: "insert" },
  insert_one: { before: "insert", after: "one" },
  update: { before: "update" },
  update_by_pk: { before: "update", after: "by_pk" },
  update_many: { before: "update", after: "many" },
  delete: { before: "delete" },
  delete_by_pk: { before: "delete", after: "by_pk" },
};

export function tableRootFields(
  naming: Naming,
  base: BaseName,
  custom: TableConfig["custom_root_fields"] = {},
): Readonly<Record<RootFieldKey, RootFieldName>> {
  const fields = rootFieldKeys.map((key): readonly [RootFieldKey, RootFieldName] => {
    const { name, comment } = customRootField(custom[key]);
    return [key, { name: rootField(naming, name ?? defaultRootField(naming, base, rootFieldWords[key])), comment }];
  });
  return Object.fromEntries(fields) as Record<RootFieldKey, RootFieldName>;
}

/** Returns name and comment of a custom root field; a string is only a name. */
export function customRootField(field: CustomRootField | undefined): {
  readonly name: string | undefined;
  readonly comment: string | undefined;
} {
  if (typeof field === "string") return { name: field, comment: undefined };
  return { name: field?.name ?? undefined, comment: field?.comment ?? undefined };
}

/** Returns the namespace of a source's root fields; empty if there is none. */
export const namespaceIn = ({ customization }: Source): string => customization?.root_fields?.namespace ?? "";

export function functionRootFields(
  naming: Naming,
  base: BaseName,
  { configuration }: TrackedFunction,
): { readonly function: string; readonly aggregate: string; readonly connection: string } {
  const custom = configuration?.custom_root_fields;
  const aggregate = custom?.function_aggregate ?? defaultRootField(naming, base, { after: "aggregate" });
  return {
    function: rootField(naming, custom?.function ?? defaultRootField(naming, base, {})),
    aggregate: rootField(naming, aggregate),
    connection: connectionField(naming, base),
  };
}

/** Returns the connection field of an object in the Relay schema. */
export function connectionField(naming: Naming, base: BaseName): string {
  return rootField(naming, defaultRootField(naming, base, { after: "connection" }));
}

function defaultRootField(
  { convention }: Naming,
  base: BaseName,
  { before, after }: { readonly before?: string; readonly after?: string },
): string {
  if (convention === "engine-default") return [before, base.text, after].filter((part) => part !== undefined).join("_");
  const words = [
    ...splitWords(before ?? ""),
    ...(base.custom ? [base.text] : splitWords(base.text)),
    ...splitWords(after ?? ""),
  ];
  const [first = "", ...others] = words;
  // A custom name keeps the case of its first letter if no word precedes the name.
  const isKept = base.custom && before === undefined;
  return [isKept ? first : camelCase(first), ...others.map(upperFirst)].join("");
}

/** Adds the prefix and suffix of the source. */
function rootField({ convention, prefix, suffix }: Naming, name: string): string {
  return convention === "engine-default" ? `${prefix}${name}${suffix}` : affixed(name, prefix, suffix);
}
