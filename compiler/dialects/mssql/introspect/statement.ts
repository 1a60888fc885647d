/**
 * The introspection statement: the server version, and each section of the catalogue as one JSON list. Uses only `sys`
 * views of SQL Server 2017 and Azure SQL; a login sees only objects on which it has a permission.
 */

import { isOfGraph, userFunctions } from "../../../../runtime/model/dialects/mssql/definitions.ts";

/** Schemas of the system and its fixed roles, and of the engine. */
const systemSchemas = [
  ...["sys", "INFORMATION_SCHEMA", "guest", "engine_catalog"],
  ...["db_owner", "db_accessadmin", "db_securityadmin", "db_ddladmin", "db_backupoperator"],
  ...["db_datareader", "db_datawriter", "db_denydatareader", "db_denydatawriter"],
];

/** Condition on the name of a schema `s`. */
export const isUserSchema = `s.name not in (${systemSchemas.map((name) => `N'${name}'`).join(", ")})`;

/** Includes temporal history and graph tables, but not objects shipped with the server. */
const userRelations = `sys.objects o join sys.schemas s on s.schema_id = o.schema_id
  where o.type in ('U', 'V') and o.is_ms_shipped = 0 and ${isUserSchema}`;

const userRelationIds = `select o.object_id from ${userRelations}`;

/**
 * Enabled row-level security policies with a filter. A login sees policies only of tables on which it has a permission.
 */
const hidesRows = `iif(exists (select 1 from sys.security_predicates p
      join sys.security_policies q on q.object_id = p.object_id
      where p.target_object_id = o.object_id and p.predicate_type = 0 and q.is_enabled = 1), 1, 0)`;

/** Every view counts as writable, because it may have INSTEAD OF triggers. */
const relations = `select o.object_id as id, s.name as [schema], o.name as [name], rtrim(o.type) as [kind],
    cast(d.value as nvarchar(max)) as [comment], cast(${hidesRows} as bit) as hidesRows
  from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
    left join sys.extended_properties d
      on d.class = 1 and d.major_id = o.object_id and d.minor_id = 0 and d.name = N'MS_Description'
  where o.type in ('U', 'V') and o.is_ms_shipped = 0 and ${isUserSchema}
  for json path, include_null_values`;

/**
 * True for a column computed by a function that may read tables. Functions that are not schema-bound count as reading
 * tables. OUTPUT cannot return such columns (error 4186).
 */
const readsData = `iif(columnproperty(c.object_id, c.name, N'UserDataAccess') = 1
      or columnproperty(c.object_id, c.name, N'SystemDataAccess') = 1, 1, 0)`;

/**
 * Resolves an alias type (`create type … from nvarchar(20)`) to its system type; CLR types are kept. `schema` is the
 * schema of an alias type.
 */
const columns = `select c.object_id as relation, c.column_id as [position], c.name as [name],
    isnull(b.name, t.name) as [type], c.max_length as [length], c.[precision] as [precision], c.scale as [scale],
    c.is_nullable as nullable, c.is_identity as [identity], c.is_computed as computed,
    c.generated_always_type as generated, cast(iif(c.default_object_id <> 0, 1, 0) as bit) as hasDefault,
    c.is_hidden as hidden, cast(${readsData} as bit) as readsData,
    iif(c.collation_name = convert(nvarchar(128), databasepropertyex(db_name(), N'Collation')),
      N'database_default', c.collation_name) as [collation], cast(d.value as nvarchar(max)) as [comment]
  from sys.columns c join sys.types t on t.user_type_id = c.user_type_id
    left join sys.types b on b.user_type_id = t.system_type_id and t.is_user_defined = 1 and t.is_assembly_type = 0
    left join sys.extended_properties d
      on d.class = 1 and d.major_id = c.object_id and d.minor_id = c.column_id and d.name = N'MS_Description'
  where c.object_id in (${userRelationIds}) and not (${isOfGraph})
  order by c.object_id, c.column_id
  for json path, include_null_values`;

/** Primary keys and unique constraints: one row for each of their columns. */
const keys = `select k.parent_object_id as relation, k.name as [name], rtrim(k.type) as [kind], i.column_id as [position]
  from sys.key_constraints k join sys.index_columns i
    on i.object_id = k.parent_object_id and i.index_id = k.unique_index_id and i.is_included_column = 0
  where k.parent_object_id in (${userRelationIds})
  order by k.object_id, i.key_ordinal
  for json path`;

/** A key WITH NOCHECK, or a key after being disabled, is not trusted until its rows are validated. */
const foreignKeys = `select f.object_id as id, f.parent_object_id as relation, f.name as [name],
    f.referenced_object_id as [target], k.parent_column_id as [position], k.referenced_column_id as targetPosition,
    f.is_not_trusted as isUnchecked
  from sys.foreign_keys f join sys.foreign_key_columns k on k.constraint_object_id = f.object_id
  where f.parent_object_id in (${userRelationIds})
  order by f.object_id, k.constraint_column_id
  for json path`;

const userFunctionIds = `select o.object_id from ${userFunctions}`;

const functions = `select o.object_id as id, s.name as [schema], o.name as [name], rtrim(o.type) as [kind],
    cast(d.value as nvarchar(max)) as [comment]
  from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
    left join sys.extended_properties d
      on d.class = 1 and d.major_id = o.object_id and d.minor_id = 0 and d.name = N'MS_Description'
  where o.object_id in (${userFunctionIds})
  order by o.object_id
  for json path, include_null_values`;

/** The catalogue does not show whether a T-SQL parameter has a default. */
const parameters = `select p.object_id as [function], p.parameter_id as [position], p.name as [name],
    isnull(b.name, t.name) as [type], p.max_length as [length], p.[precision] as [precision], p.scale as [scale],
    t.is_table_type as isTable
  from sys.parameters p join sys.types t on t.user_type_id = p.user_type_id
    left join sys.types b on b.user_type_id = t.system_type_id and t.is_user_defined = 1 and t.is_assembly_type = 0
  where p.object_id in (${userFunctionIds})
  order by p.object_id, p.parameter_id
  for json path`;

const returnedColumns = `select c.object_id as [function], c.column_id as [position], c.name as [name],
    isnull(b.name, t.name) as [type], c.max_length as [length], c.[precision] as [precision], c.scale as [scale]
  from sys.columns c join sys.types t on t.user_type_id = c.user_type_id
    left join sys.types b on b.user_type_id = t.system_type_id and t.is_user_defined = 1 and t.is_assembly_type = 0
  where c.object_id in (${userFunctionIds})
  order by c.object_id, c.column_id
  for json path`;

const section = (name: string, query: string): string => `select N'${name}' as [section], (${query}) as [body]`;

/** Returns rows of two texts: a section name, and its JSON list, or NULL if it is empty. */
export const catalogStatement = [
  `select N'version' as [section], cast(serverproperty('ProductVersion') as nvarchar(max)) as [body]`,
  `select N'compatibility', (select cast(compatibility_level as nvarchar(max)) from sys.databases where database_id = db_id())`,
  section("relations", relations),
  section("columns", columns),
  section("keys", keys),
  section("foreignKeys", foreignKeys),
  section("functions", functions),
  section("parameters", parameters),
  section("returnedColumns", returnedColumns),
].join("\nunion all\n");
