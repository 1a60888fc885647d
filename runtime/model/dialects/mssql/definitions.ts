/**
 * Reads hashes of the SQL definitions in a SQL Server database: views, procedures, functions, security policies,
 * triggers, defaults. The statement uses `sys` views that exist since SQL Server 2016. Definitions that the login may
 * not read, and encrypted definitions, count as unreadable.
 */
import { type DatabaseRow, type Definitions, definitionFact } from "../../../values/database-fact.ts";

/** Concatenates names with commas, in order; SQL Server 2016 can do so only through XML. */
export const joined = (names: string): string =>
  `stuff((${names} for xml path(''), type).value('.', 'nvarchar(max)'), 1, 2, N'')`;

/** Condition that `c` is an internal column of a graph table, which queries may not name (error 13908). */
export const isOfGraph = "c.graph_type is not null and c.graph_type_desc not like N'%[_]COMPUTED'";

const systemSchemas = "N'sys', N'INFORMATION_SCHEMA', N'guest', N'engine_catalog'";

/** Selects user tables and views. */
export const relation = `select o.object_id as id, s.name as [schema], o.name as name, rtrim(o.type) as kind
  from sys.objects o join sys.schemas s on s.schema_id = o.schema_id
  where o.type in ('U', 'V') and o.is_ms_shipped = 0 and s.name not in (${systemSchemas})
    and s.name not like N'db[_]%'`;

/** FROM and WHERE clauses of user functions `o` with their schemas `s`. */
export const userFunctions = `sys.objects o join sys.schemas s on s.schema_id = o.schema_id
where o.type in ('FN', 'IF', 'TF') and o.is_ms_shipped = 0 and s.name not in (${systemSchemas})
  and s.name not like N'db[_]%'`;

const hash = (text: string): string =>
  `isnull(left(lower(convert(nvarchar(64), hashbytes('SHA2_256', ${text}), 2)), 32), N'unreadable')`;

/** Returns the execution context of a module, if it differs from the caller's. */
const executeAs = (module: string): string =>
  `case when ${module}.execute_as_principal_id is null then N''
    when ${module}.execute_as_principal_id = -2 then N'as owner ' else N'as user ' end`;

export const definitionsStatement = `with relation as (${relation})
select r.[schema] as [schema], r.name as object, N'view' as part, cast(null as nvarchar(max)) as name,
  cast(${hash("m.definition")} as nvarchar(max)) as value
from relation r join sys.sql_modules m on m.object_id = r.id
union all
select r.[schema], r.name, N'trigger', t.name,
  iif(t.is_instead_of_trigger = 1, N'instead of ', N'after ') + iif(t.is_disabled = 1, N'disabled ', N'')
    + ${executeAs("m")} + ${hash("m.definition")}
from relation r join sys.triggers t on t.parent_id = r.id left join sys.sql_modules m on m.object_id = t.object_id
where t.is_ms_shipped = 0 and t.name not like N'notify[_]engine[_]%'
union all
select r.[schema], r.name, N'policy',
  s.name + N'.' + p.name + N' ' + cast(d.security_predicate_id as nvarchar(10)),
  iif(p.is_enabled = 1, N'', N'disabled ') + lower(d.predicate_type_desc) + N' '
    + isnull(lower(d.operation_desc) + N' ', N'') + ${hash("d.predicate_definition")}
    + isnull(N' ' + ${joined(`select N', ' + ${hash("m.definition")}
    from sys.sql_expression_dependencies e join sys.sql_modules m on m.object_id = e.referenced_id
    where e.referencing_id = p.object_id order by ${hash("m.definition")}`)}, N'')
from relation r join sys.security_predicates d on d.target_object_id = r.id
  join sys.security_policies p on p.object_id = d.object_id join sys.schemas s on s.schema_id = p.schema_id
union all
select r.[schema], r.name, N'default', c.name, ${hash("d.definition")}
from relation r join sys.default_constraints d on d.parent_object_id = r.id
  join sys.columns c on c.object_id = d.parent_object_id and c.column_id = d.parent_column_id
union all
select r.[schema], r.name, N'generated', c.name, ${hash("c.definition")}
from relation r join sys.computed_columns c on c.object_id = r.id
union all
select s.name, o.name, iif(o.type = 'P', N'procedure', N'function'), null, ${executeAs("m")} + ${hash("m.definition")}
from sys.objects o join sys.schemas s on s.schema_id = o.schema_id left join sys.sql_modules m on m.object_id = o.object_id
where o.type in ('P', 'FN', 'IF', 'TF') and o.is_ms_shipped = 0 and s.name not in (${systemSchemas})
order by 1, 2, 3, 4`;

/** Reads the definitions. SQL Server stores their original text, so the server version is irrelevant. */
export async function readDefinitions(
  query: (statement: string) => Promise<readonly DatabaseRow[]>,
): Promise<Definitions> {
  return { serverVersion: "any", facts: (await query(definitionsStatement)).map(definitionFact) };
}
