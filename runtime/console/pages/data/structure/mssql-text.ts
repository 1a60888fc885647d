/** SQL of SQL Server. */
import type { QualifiedName } from "../../../http/metadata-types.ts";
import type { SqlText } from "./sql-text.ts";

const name = (text: string): string => `[${text.replaceAll("]", "]]")}]`;
const literal = (text: string): string => `N'${text.replaceAll("'", "''")}'`;
const tableName = (table: QualifiedName): string => `${name(table.schema)}.${name(table.name)}`;
const alter = (table: QualifiedName): string => `alter table ${tableName(table)}`;
const id = (table: QualifiedName): string => `object_id(${literal(tableName(table))})`;

/**
 * Drops the default of a column: it is a constraint, whose name the server may have made up. The batch of `exec` has its
 * own variables, so that several of these statements can be in one batch.
 */
function dropDefault(table: QualifiedName, column: string): string {
  const batch = `declare @drop nvarchar(max) = (
  select ${literal(`${alter(table)} drop constraint `)} + quotename(d.name)
  from sys.default_constraints d
  join sys.columns c on c.object_id = d.parent_object_id and c.column_id = d.parent_column_id
  where d.parent_object_id = ${id(table)} and c.name = ${literal(column)});
if @drop is not null exec (@drop);`;
  return `exec (${literal(batch)});`;
}

/** Removes the description of a table or column, if there is one, and adds the new one, unless it is empty. */
function describe(table: QualifiedName, column: string | null, comment: string): string {
  const level = `@level0type = N'SCHEMA', @level0name = ${literal(table.schema)}, @level1type = N'TABLE', @level1name = ${literal(table.name)}`;
  const target = column === null ? level : `${level}, @level2type = N'COLUMN', @level2name = ${literal(column)}`;
  const minor = column === null ? "0" : `columnproperty(${id(table)}, ${literal(column)}, N'ColumnId')`;
  const found = `select 1 from sys.extended_properties where class = 1 and name = N'MS_Description' and major_id = ${id(table)} and minor_id = ${minor}`;
  const drop = `if exists (${found}) exec sys.sp_dropextendedproperty @name = N'MS_Description', ${target};`;
  if (comment === "") return drop;
  return `${drop}\nexec sys.sp_addextendedproperty @name = N'MS_Description', @value = ${literal(comment)}, ${target};`;
}

export const mssqlText: SqlText = {
  name,
  literal,
  identity: "identity",
  uuid: { type: "uniqueidentifier", initial: "newid()" },
  keyText: "nvarchar(200)",
  types: [
    "nvarchar(max)",
    "nvarchar(200)",
    "varchar(200)",
    "int",
    "bigint",
    "smallint",
    "tinyint",
    "decimal(18, 2)",
    "float",
    "real",
    "money",
    "bit",
    "date",
    "datetime2",
    "datetimeoffset",
    "time",
    "uniqueidentifier",
    "varbinary(max)",
  ],
  actions: ["no action", "cascade", "set null", "set default"],
  methods: ["nonclustered", "clustered"],
  add: "add",
  cascade: "",
  renameTable: (table, to) => `exec sp_rename ${literal(tableName(table))}, ${literal(to)};`,
  renameColumn: (table, from, to) =>
    `exec sp_rename ${literal(`${tableName(table)}.${name(from)}`)}, ${literal(to)}, N'COLUMN';`,
  retype: ({ table, after }) =>
    `${alter(table)} alter column ${name(after.name)} ${after.type} ${after.isNullable ? "null" : "not null"};`,
  setNullable: ({ table, after }) =>
    `${alter(table)} alter column ${name(after.name)} ${after.type} ${after.isNullable ? "null" : "not null"};`,
  setDefault: ({ table, after }) => {
    const add = after.initial === "" ? "" : `\n${alter(table)} add default ${after.initial} for ${name(after.name)};`;
    return `${dropDefault(table, after.name)}${add}`;
  },
  beforeDropColumn: dropDefault,
  commentOnTable: (table, comment) => describe(table, null, comment),
  commentOnColumn: describe,
  createIndex: ({ table, name: index, columns, isUnique, method, where }) => {
    const keys = columns.map((each) => `${name(each.name)}${each.isDescending ? " desc" : ""}`).join(", ");
    const condition = where === "" ? "" : ` where ${where}`;
    return `create ${isUnique ? "unique " : ""}${method} index ${name(index)} on ${tableName(table)} (${keys})${condition};`;
  },
  recreateIndex: (table, index, definition) => {
    const [, form = "", keys = ""] = /^([^(]*)(.*)$/s.exec(definition) ?? [];
    return `create ${form.trim()} index ${name(index)} on ${tableName(table)} ${keys}`.trimEnd().concat(";");
  },
  dropIndex: (table, index) => `drop index ${name(index)} on ${tableName(table)};`,
  factsQuery: (table) => `
select N'column' as [section], c.name as [name],
  cast(t.name as nvarchar(max)) + case
    when t.name in (N'nvarchar', N'nchar') then iif(c.max_length = -1, N'(max)', concat(N'(', c.max_length / 2, N')'))
    when t.name in (N'varchar', N'char', N'varbinary', N'binary') then iif(c.max_length = -1, N'(max)', concat(N'(', c.max_length, N')'))
    when t.name in (N'decimal', N'numeric') then concat(N'(', c.[precision], N', ', c.scale, N')')
    when t.name in (N'datetime2', N'datetimeoffset', N'time') then concat(N'(', c.scale, N')')
    else N'' end as [first],
  coalesce(cast(d.definition as nvarchar(max)), N'') as [second],
  case when c.is_identity = 1 then N'identity' when c.is_computed = 1 then N'generated' else N'' end as [third]
from sys.columns c
join sys.types t on t.user_type_id = c.user_type_id
left join sys.default_constraints d on d.object_id = c.default_object_id
where c.object_id = ${id(table)}
union all
select N'constraint', k.name, iif(k.type = 'PK', N'primary key', N'unique'),
  concat(iif(k.type = 'PK', N'primary key (', N'unique ('), (
    select string_agg(quotename(c.name), N', ') within group (order by i.key_ordinal)
    from sys.index_columns i join sys.columns c on c.object_id = i.object_id and c.column_id = i.column_id
    where i.object_id = k.parent_object_id and i.index_id = k.unique_index_id), N')'), N''
from sys.key_constraints k where k.parent_object_id = ${id(table)}
union all
select N'constraint', f.name, N'foreign key',
  concat(N'foreign key (', (
    select string_agg(quotename(c.name), N', ') within group (order by p.constraint_column_id)
    from sys.foreign_key_columns p join sys.columns c on c.object_id = p.parent_object_id and c.column_id = p.parent_column_id
    where p.constraint_object_id = f.object_id),
  N') references ', quotename(object_schema_name(f.referenced_object_id)), N'.', quotename(object_name(f.referenced_object_id)), N' (', (
    select string_agg(quotename(c.name), N', ') within group (order by p.constraint_column_id)
    from sys.foreign_key_columns p join sys.columns c on c.object_id = p.referenced_object_id and c.column_id = p.referenced_column_id
    where p.constraint_object_id = f.object_id),
  N') on delete ', lower(replace(f.delete_referential_action_desc, N'_', N' ')),
  N' on update ', lower(replace(f.update_referential_action_desc, N'_', N' '))), N''
from sys.foreign_keys f where f.parent_object_id = ${id(table)}
union all
select N'constraint', k.name, N'check', concat(N'check ', k.definition), N''
from sys.check_constraints k where k.parent_object_id = ${id(table)}`,
  usageQuery: (table) => `
select i.name as [name], cast(8192 * (
    select sum(p.used_page_count) from sys.dm_db_partition_stats p where p.object_id = i.object_id and p.index_id = i.index_id
  ) as nvarchar(20)) as [bytes],
  cast(coalesce(u.user_seeks + u.user_scans + u.user_lookups, 0) as nvarchar(20)) as [uses]
from sys.indexes i
left join sys.dm_db_index_usage_stats u on u.database_id = db_id() and u.object_id = i.object_id and u.index_id = i.index_id
where i.object_id = ${id(table)} and i.name is not null`,
  typesQuery: "",
};
