/** A database of the corpus behind a live server and a sealed one: its tables as the schema shows them. */
import { readFile } from "node:fs/promises";
import {
  buildClientSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  type IntrospectionQuery,
  isInputObjectType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { query as runSql } from "../support/database.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";

export interface CorpusTable {
  /** Qualified and quoted name in SQL. */
  readonly sql: string;
  readonly displayName: string;
  readonly isBase: boolean;
  /** True if the rows also belong to a partitioned table. Statements on that table fire its own triggers. */
  readonly isPartition: boolean;
  readonly field: GraphQLField<unknown, unknown>;
  readonly type: GraphQLObjectType;
  /** Fields that have the name of a column. */
  readonly columns: readonly string[];
  /** Quoted names. */
  readonly keyColumns: readonly string[];
  /** True if the file declares that the table cannot be written: `-- read only: schema.table`. */
  readonly isReadOnly: boolean;
}

export interface Corpus {
  readonly server: TestServer;
  /** URL of the database with the schema of extensions in the search path. The server's URL lacks it. */
  readonly searchingUrl: string;
  readonly sealed: TestServer;
  readonly webhook: WebhookReceiver;
  readonly schema: GraphQLSchema;
  readonly tables: readonly CorpusTable[];
  /** `schema.table` of each table that could not be tracked, with the error. */
  readonly refused: ReadonlyMap<string, string>;
  /** Columns whose output is not accepted as input: `-- output only: column, column`. */
  readonly outputOnly: ReadonlySet<string>;
  /** Tables that the file declares as refused: `-- refused: schema.table`. */
  readonly expectedRefusals: readonly string[];
  close(): Promise<void>;
}

/** Numbers are returned as strings, because `JSON.parse` would round them. */
const environment = { ENGINE_GRAPHQL_STRINGIFY_NUMERIC_TYPES: "true" };

const relations = `
  select n.nspname as schema, c.relname as name, c.relkind in ('r', 'p') as is_base, c.relispartition as is_partition,
    format('%I.%I', n.nspname, c.relname) as sql,
    array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    array(
      select format('%I', a.attname) from pg_index i cross join lateral unnest(i.indkey) k(number)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
      where i.indrelid = c.oid and i.indisprimary
    ) as key
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema', 'engine_catalog')
    and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by 1, 2`;

const foreignKeys = `
  select n.nspname as schema, c.relname as name, k.conname as constraint,
    array(select a.attname::text from unnest(k.conkey) i(number) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = i.number) as columns
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
  where k.contype = 'f' and k.conparentid = 0 and not exists (
    select 1 from pg_constraint o where o.conrelid = k.conrelid and o.conkey = k.conkey and o.contype = 'f' and o.oid < k.oid
  )`;

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly is_base: boolean;
  readonly is_partition: boolean;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

export async function openCorpus(file: string): Promise<Corpus> {
  const text = await readFile(file, "utf8");
  const webhook = await startWebhookReceiver();
  const server = await startTestServer({ sealed: false, environment });
  await runSql(server.databaseUrl, text);
  const found = (await runSql(server.databaseUrl, relations)) as unknown as readonly Relation[];
  const refused = new Map<string, string>();
  for (const relation of found) {
    const { schema, name } = relation;
    const answer = await server.post("/v1/metadata", { type: "pg_track_table", args: { table: { schema, name } } });
    if (answer.status !== 200) refused.set(`${schema}.${name}`, answer.json.error);
  }
  for (const { schema, name, constraint, columns } of await runSql(server.databaseUrl, foreignKeys)) {
    if (refused.has(`${schema}.${name}`)) continue;
    const using = { foreign_key_constraint_on: columns };
    await server.post("/v1/metadata", {
      type: "pg_create_object_relationship",
      args: { table: { schema, name }, name: `by_${constraint}`, using },
    });
  }
  for (const [index, { schema, name, is_base }] of found.entries()) {
    if (!is_base || refused.has(`${schema}.${name}`)) continue;
    const operation = { columns: "*" };
    await server.metadata("pg_create_event_trigger", {
      ...{ name: `changes_${index}`, table: { schema, name }, webhook: webhook.url },
      ...{ insert: operation, update: operation, delete: operation },
    });
  }
  const sealed = await startTestServer({ sealed: true, on: server, environment });
  const { data } = (await server.graphql(getIntrospectionQuery())) as { readonly data: IntrospectionQuery };
  const schema = buildClientSchema(data);
  return {
    ...{ server, sealed, webhook, schema, refused },
    searchingUrl: `${server.databaseUrl}?options=${encodeURIComponent("-c search_path=public,ext")}`,
    tables: found.flatMap((relation) => tableOf(schema, relation, listed(text, "read only")) ?? []),
    expectedRefusals: listed(text, "refused"),
    outputOnly: new Set(listed(text, "output only")),
    async close() {
      await sealed.stop();
      await server.close();
      await webhook.close();
    },
  };
}

/** Returns the names in lines of the file such as `-- refused: a, b`. */
const listed = (text: string, what: string): readonly string[] =>
  [...text.matchAll(new RegExp(`^-- ${what}: (.*)$`, "gm"))].flatMap(([, names = ""]) => names.split(", "));

function tableOf(schema: GraphQLSchema, relation: Relation, readOnly: readonly string[]): CorpusTable | undefined {
  const displayName = relation.schema === "public" ? relation.name : `${relation.schema}.${relation.name}`;
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const field = fields.find(({ description }) => description === `fetch data from the table: "${displayName}"`);
  const type = field && getNamedType(field.type);
  if (field === undefined || !isObjectType(type)) return undefined;
  const columns = Object.values(type.getFields()).filter((each) => isLeafType(getNamedType(each.type)));
  return {
    sql: relation.sql,
    displayName,
    isBase: relation.is_base,
    isPartition: relation.is_partition,
    isReadOnly: readOnly.includes(`${relation.schema}.${relation.name}`),
    field,
    type,
    columns: columns.map(({ name }) => name).filter((name) => relation.columns.includes(name)),
    keyColumns: relation.key,
  };
}

/** Returns the fields of an input object type by name, also if it is wrapped; none for other types. */
export function inputFields(type: GraphQLInputType | undefined): ReadonlyMap<string, GraphQLInputType> {
  const named = type && getNamedType(type);
  if (!isInputObjectType(named)) return new Map();
  return new Map(Object.values(named.getFields()).map((each) => [each.name, each.type]));
}

export function argument(field: GraphQLField<unknown, unknown>, name: string): GraphQLInputType | undefined {
  return field.args.find((each) => each.name === name)?.type;
}

/** Returns relationships that the schema declares as non-null. */
export function requiredRelationships({ type }: CorpusTable): readonly string[] {
  const fields = Object.values(type.getFields());
  return fields
    .filter((each) => isNonNullType(each.type) && isObjectType(getNullableType(each.type)))
    .filter((each) => each.name.startsWith("by_"))
    .map(({ name }) => name);
}
