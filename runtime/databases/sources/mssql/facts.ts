/**
 * Reads the tables and functions of a SQL Server database as facts, to compare with those of a shape
 * (`compiler/shape/shape-facts.ts`). Uses one statement on `sys` views that exist since SQL Server 2016. A login sees
 * the objects on which it has some permission.
 */

import { isOfGraph, joined, relation, userFunctions } from "../../../model/dialects/mssql/definitions.ts";
import { quoteIdentifier } from "../../../model/dialects/mssql/quote.ts";
import type { DatabaseFact, EnumTable } from "../../../values/database-fact.ts";
import { invariant } from "../../../values/errors.ts";
import type { TextRow } from "../source.ts";

/** Returns SQL that lists the parameters of a function or the columns of its rows, with types. */
const typed = (name: string, items: string, position: string): string =>
  `isnull(${joined(`select N', ' + ${name}N'sys.' + isnull(b.name, t.name)
    from ${items} i join sys.types t on t.user_type_id = i.user_type_id
      left join sys.types b on b.user_type_id = t.system_type_id and t.is_user_defined = 1 and t.is_assembly_type = 0
    where i.object_id = o.object_id${position}`)}, N'')`;

const given = " and i.parameter_id > 0 order by i.parameter_id";
const nameOf = "stuff(i.name, 1, 1, N'') + N' ' + ";
const returned = " order by i.column_id";

/** Functions, with introspection's conventions: any argument may have a default, and no function writes. */
const functions = `select s.name, o.name, N'function', ${typed("", "sys.parameters", given)},
  N'(' + ${typed(nameOf, "sys.parameters", given)} + N'), '
    + (select cast(count(*) as nvarchar(9)) from sys.parameters i where i.object_id = o.object_id and i.parameter_id > 0)
    + N' optional, returns ' + iif(o.type = 'FN', ${typed("", "sys.parameters", " and i.parameter_id = 0")}, N'setof sys.table')
    + N', stable' + iif(o.type = 'FN', N'', N', rows of '
      + ${typed("i.name + N' ' + ", "sys.columns", returned)}), N'0'
from ${userFunctions}`;

/** Returns schema, table or function, part, name, value, and whether it is optional (`1` or `0`). */
export const factsStatement = `with relation as (${relation})
select r.[schema] as [schema], r.name as [table], N'table' as part, cast(null as nvarchar(max)) as name,
  cast(iif(r.kind = 'U', N'table', N'view') as nvarchar(max)) as value, N'0' as optional
from relation r
union all
select r.[schema], r.name, N'column', c.name,
  N'sys.' + isnull(b.name, t.name) + iif(c.is_nullable = 1, N' null', N' not null')
    + iif(c.is_identity = 1, N' identity always',
      iif(c.is_computed = 1 or c.generated_always_type <> 0 or isnull(b.name, t.name) = N'timestamp', N' generated', N'')),
  iif(c.is_nullable = 1 or c.default_object_id <> 0 or c.is_identity = 1 or c.is_computed = 1
    or c.generated_always_type <> 0 or isnull(b.name, t.name) = N'timestamp', N'1', N'0')
from relation r join sys.columns c on c.object_id = r.id and not (${isOfGraph})
  join sys.types t on t.user_type_id = c.user_type_id
  left join sys.types b on b.user_type_id = t.system_type_id and t.is_user_defined = 1 and t.is_assembly_type = 0
union all
select r.[schema], r.name, N'key', k.name,
  iif(k.type = 'PK', N'p ', N'u ') + ${joined(`select N', ' + c.name
    from sys.index_columns i join sys.columns c on c.object_id = i.object_id and c.column_id = i.column_id
    where i.object_id = k.parent_object_id and i.index_id = k.unique_index_id and i.is_included_column = 0
    order by i.key_ordinal`)}, N'1'
from relation r join sys.key_constraints k on k.parent_object_id = r.id
union all
select r.[schema], r.name, N'foreign key', f.name,
  ${joined(`select N', ' + c.name
    from sys.foreign_key_columns k join sys.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id
    where k.constraint_object_id = f.object_id order by k.constraint_column_id`)}
    + N' → ' + target.[schema] + N'.' + target.name + N' (' + ${joined(`select N', ' + c.name
    from sys.foreign_key_columns k join sys.columns c on c.object_id = k.referenced_object_id and c.column_id = k.referenced_column_id
    where k.constraint_object_id = f.object_id order by k.constraint_column_id`)} + N')', N'1'
from relation r join sys.foreign_keys f on f.parent_object_id = r.id
  join relation target on target.id = f.referenced_object_id
union all
${functions}`;

export function factOf([schema, table, part, name, value, optional]: TextRow): DatabaseFact {
  invariant(schema && table && part && value, "the catalogue names its objects");
  const parts = name === null || name === undefined ? [part] : [part, name];
  return { object: [schema, table], part: parts, value, ...(optional === "1" && { isOptional: true }) };
}

/** Returns the statement that reads the values of an enum table, one per row. */
export function enumValuesStatement({ table: [schema, name], column }: EnumTable): string {
  return `select ${quoteIdentifier(column)} as [value] from ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
