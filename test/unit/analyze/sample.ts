/** Small databases and metadata, written by hand, for tests of the analysis. */

import type {
  Analysis,
  AnalysisOptions,
  AnalyzedSource,
  SourceIntrospection,
} from "../../../compiler/2-analyze/analysis.ts";
import { analyze } from "../../../compiler/2-analyze/analyze.ts";
import type { AnalyzedTable } from "../../../compiler/2-analyze/analyzed-table.ts";
import type { Catalog } from "../../../compiler/catalog/catalog.ts";
import { parseMetadata } from "../../../compiler/catalog/schema.ts";
import type { Diagnostic } from "../../../compiler/diagnostics/diagnostic.ts";
import type { RemoteIntrospection } from "../../../compiler/shape/remote-shape.ts";
import type {
  ColumnShape,
  ForeignKeyShape,
  FunctionShape,
  Shape,
  TableShape,
  TypeRef,
} from "../../../compiler/shape/shape.ts";
import { analysisOptions } from "../../support/analysis-options.ts";

const writtenNames: Readonly<Record<string, string>> = {
  int4: "integer",
  int8: "bigint",
  bool: "boolean",
  varchar: "character varying",
  timestamptz: "timestamp with time zone",
};

/** Returns a built-in type by its catalogue name; `int4[]` is an array type. */
export function type(name: string): TypeRef {
  if (name.endsWith("[]")) {
    const element = type(name.slice(0, -2));
    return { schema: "pg_catalog", name: `_${element.name}`, sql: `${element.sql}[]`, category: "base", element };
  }
  return { schema: "pg_catalog", name, sql: writtenNames[name] ?? name, category: "base" };
}

export function rowType(schema: string, name: string): TypeRef {
  return { schema, name, sql: `${schema}.${name}`, category: "composite" };
}

type ColumnInput = string | (Partial<Omit<ColumnShape, "type">> & { readonly type: string | TypeRef });

/** Returns columns by name. Each is a type, with `!` for NOT NULL, or more details. */
export function columns(input: Readonly<Record<string, ColumnInput>>): readonly ColumnShape[] {
  return Object.entries(input).map(([name, given], index) => {
    const details = typeof given === "string" ? { type: given } : given;
    const text = typeof details.type === "string" ? details.type : undefined;
    const shape: ColumnShape = {
      name,
      position: index + 1,
      nullable: text?.endsWith("!") !== true,
      hasDefault: false,
      identity: null,
      generated: false,
      comment: null,
      ...details,
      type: typeof details.type === "string" ? type(details.type.replace(/!$/, "")) : details.type,
    };
    return shape;
  });
}

type TableInput = Partial<Omit<TableShape, "name" | "columns" | "primaryKey" | "foreignKeys" | "uniqueKeys">> & {
  readonly columns: Readonly<Record<string, ColumnInput>>;
  readonly primaryKey?: readonly string[];
  readonly uniqueKeys?: readonly (readonly string[])[];
  readonly foreignKeys?: readonly Partial<ForeignKeyShape>[];
};

let nextId = 1;

export function table(name: string, input: TableInput): TableShape {
  const { primaryKey, uniqueKeys = [], foreignKeys = [], ...others } = input;
  const id = nextId++;
  return {
    schema: "public",
    name,
    id,
    kind: "table",
    comment: null,
    insertable: true,
    updatable: true,
    deletable: true,
    ...others,
    columns: columns(input.columns),
    primaryKey: primaryKey === undefined ? null : { name: `${name}_pkey`, columns: primaryKey },
    uniqueKeys: uniqueKeys.map((key) => ({ name: `${name}_${key.join("_")}_key`, columns: key })),
    foreignKeys: foreignKeys.map((key, index) => ({
      name: `${name}_fkey_${index}`,
      id: id * 100 + index,
      columns: [],
      foreignTable: { schema: "public", name },
      foreignColumns: [],
      ...key,
    })),
  };
}

export function functionShape(name: string, input: Partial<FunctionShape> = {}): FunctionShape {
  return {
    schema: "public",
    name,
    id: nextId++,
    comment: null,
    volatility: "stable",
    strict: false,
    variadic: false,
    returnsSet: false,
    returns: type("text"),
    returnsTable: null,
    arguments: [],
    ...input,
  };
}

export function argument(name: string | null, given: string | TypeRef): FunctionShape["arguments"][number] {
  const ref = typeof given === "string" ? type(given) : given;
  const table = ref.category === "composite" ? { schema: ref.schema, name: ref.name } : null;
  return { name, type: ref, hasDefault: false, table };
}

export function shape(tables: readonly TableShape[], functions: readonly FunctionShape[] = []): Shape {
  return { format: 1, kind: "postgres", serverVersion: "15.0", tables, functions, types: [] };
}

/** Authors, and articles that refer to them. */
export const library: Shape = shape([
  table("article", {
    columns: {
      id: "int4!",
      title: "text",
      author_id: "int4!",
      editor_id: "int4",
      tags: "jsonb",
      raw: "json",
      pages: "int4[]",
    },
    primaryKey: ["id"],
    foreignKeys: [
      {
        name: "article_author_id_fkey",
        columns: ["author_id"],
        foreignTable: { schema: "public", name: "author" },
        foreignColumns: ["id"],
      },
    ],
  }),
  table("author", {
    columns: {
      id: "int4!",
      name: "text",
      age: "int4",
      joined: "timestamptz",
      code: { type: "int4", identity: "always", nullable: false },
      initials: { type: "text", generated: true },
    },
    primaryKey: ["id"],
  }),
]);

export interface MetadataInput {
  readonly tables?: readonly object[];
  readonly functions?: readonly object[];
  readonly customization?: object;
  readonly [key: string]: unknown;
}

/** Returns metadata of one source `default`. Some members of the source may be passed at the top level. */
export function catalogOf({ tables = [], functions = [], customization, ...others }: MetadataInput): Catalog {
  const source = { ...sourceOf("default", tables), functions, ...(customization && { customization }) };
  return parsed({ version: 3, sources: [source], ...others });
}

export function sourceOf(name: string, tables: readonly object[], more: object = {}): object {
  return {
    name,
    kind: "postgres",
    tables,
    configuration: { connection_info: { database_url: "postgres://x" } },
    ...more,
  };
}

export function parsed(document: object): Catalog {
  const catalog = parseMetadata(document);
  if (!catalog.ok) throw new Error(`${catalog.error.path}: ${catalog.error.message}`);
  return catalog.value;
}

export interface Setting {
  /** The shape of the source `default`, or of each source by name. */
  readonly shape?: Shape;
  readonly introspections?: ReadonlyMap<string, SourceIntrospection>;
  /** If absent, the servers have not been introspected. */
  readonly remoteIntrospections?: ReadonlyMap<string, RemoteIntrospection>;
  readonly options?: Partial<AnalysisOptions>;
  readonly previous?: Analysis;
}

export function resultOf(catalog: Catalog, setting: Setting = {}): ReturnType<typeof analyze> {
  const { shape: given = library, previous, remoteIntrospections } = setting;
  const introspections =
    setting.introspections ?? new Map(catalog.sources.map(({ name }) => [name, { shape: given }] as const));
  return analyze({
    catalog,
    introspections,
    ...(remoteIntrospections && { remoteIntrospections }),
    options: { ...analysisOptions, ...setting.options },
    ...(previous && { previous }),
  });
}

export function analysisOf(metadata: MetadataInput | Catalog, setting: Setting = {}): Analysis {
  const result = resultOf(isCatalog(metadata) ? metadata : catalogOf(metadata), setting);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function isCatalog(metadata: MetadataInput | Catalog): metadata is Catalog {
  return "version" in metadata;
}

/** Returns the error of a change. By default, the previous metadata has no sources and no actions. */
export function failureOf(catalog: Catalog, setting: Setting = {}): Diagnostic | undefined {
  const start = resultOf({ ...catalog, sources: [], actions: [] }, setting);
  const result = resultOf(catalog, start.ok ? { previous: start.value, ...setting } : setting);
  return result.ok ? undefined : result.error;
}

/** Returns the text after `Inconsistent object: ` of each entry. */
export function reasonsOf({ inconsistencies }: Analysis): readonly string[] {
  return inconsistencies.map(({ reason }) => reason.replace(/^Inconsistent object: /, ""));
}

export function sourceIn(analysis: Analysis, name = "default"): AnalyzedSource {
  const source = analysis.sources.get(name);
  if (source === undefined) throw new Error(`no source ${name}`);
  return source;
}

export function tableIn(analysis: Analysis, key: string): AnalyzedTable {
  const found = sourceIn(analysis).tables.get(key);
  if (found === undefined) throw new Error(`no table ${key}: ${reasonsOf(analysis).join("; ")}`);
  return found;
}
