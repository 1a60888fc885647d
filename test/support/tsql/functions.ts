/** Functions of T-SQL: numbers of arguments, and the compatibility level or the version that has them. */

/** Calls whose value depends on a group of rows. */
export const aggregates: ReadonlySet<string> = new Set([
  ...["avg", "checksum_agg", "count", "count_big", "grouping", "max", "min", "stdev", "stdevp", "string_agg"],
  ...["sum", "var", "varp", "approx_count_distinct", "json_arrayagg", "json_objectagg", "product"],
]);

interface BuiltIn {
  readonly fewest: number;
  readonly most: number;
  /** Lowest compatibility level, 150 or more. */
  readonly level: number;
}

const many = 254;

/** Each list: names of functions with these numbers of arguments. */
const table: readonly (readonly [level: number, fewest: number, most: number, names: string])[] = [
  [150, 0, 0, "getdate getutcdate sysdatetime sysutcdatetime sysdatetimeoffset newid newsequentialid scope_identity"],
  [150, 0, 0, "row_number rank dense_rank percent_rank cume_dist min_active_rowversion original_login xact_state pi"],
  [150, 0, 0, "error_line error_message error_number error_procedure error_severity error_state context_info"],
  [150, 0, 1, "db_id db_name schema_id schema_name suser_name suser_sname user_name user_id rand"],
  [150, 1, 1, "abs ascii avg ceiling char checksum_agg count count_big datalength day exp first_value floor isdate"],
  [150, 1, 1, "grouping last_value len lower max min month nchar ntile percentile_cont percentile_disc reverse"],
  [150, 1, 1, "serverproperty session_context sign space sqrt square stdev stdevp sum trim type_id type_name unicode"],
  [150, 1, 1, "update upper var varp year approx_count_distinct compress decompress isnumeric col_length"],
  [150, 1, 2, "eomonth json_query log object_id object_name object_schema_name openjson quotename"],
  [150, 1, 2, "isjson ltrim rtrim is_member is_rolemember is_srvrolemember object_definition"],
  [150, 1, 3, "lag lead str"],
  [150, 1, many, "checksum"],
  [150, 2, 2, "col_name databasepropertyex datename datepart hashbytes isnull json_value left nullif objectproperty"],
  [150, 2, 2, "objectpropertyex parsename patindex power replicate right string_agg string_escape switchoffset"],
  [150, 2, 2, "todatetimeoffset typeproperty sql_variant_property"],
  // A method of `xml`: `(select … for xml path(''), type).value('.', 'int')`.
  [150, 2, 2, "value"],
  [150, 2, 3, "charindex format round string_split"],
  [150, 2, many, "coalesce concat choose"],
  [
    150,
    3,
    3,
    "applock_mode columnproperty dateadd datediff datediff_big datefromparts iif json_modify replace substring translate",
  ],
  [150, 3, 5, "has_perms_by_name"],
  [150, 5, 5, "timefromparts"],
  [150, 3, many, "concat_ws"],
  [150, 4, 4, "stuff applock_test"],
  [160, 0, many, "json_array json_object"],
  [160, 1, many, "greatest least"],
  [160, 1, 1, "bit_count"],
  [160, 2, 2, "json_path_exists datetrunc left_shift right_shift get_bit"],
  [160, 2, 3, "generate_series"],
  [160, 3, 4, "date_bucket"],
  [170, 1, 2, "json_arrayagg json_objectagg product"],
  [170, 2, 3, "regexp_like json_contains"],
  [170, 2, many, "regexp_count regexp_instr regexp_replace regexp_substr"],
  [170, 3, 3, "vector_distance"],
];

export const builtIns: ReadonlyMap<string, BuiltIn> = new Map(
  table.flatMap(([level, fewest, most, names]) =>
    names.split(" ").map((name): [string, BuiltIn] => [name, { level, fewest, most }]),
  ),
);

/** Types of columns and casts that the parser has no kind for, and the level that has them. */
export const typeLevels: ReadonlyMap<string, number> = new Map([
  ...["sysname", "datetime2", "datetimeoffset", "smalldatetime", "uniqueidentifier", "xml", "money", "smallmoney"].map(
    (name): [string, number] => [name, 150],
  ),
  ...["sql_variant", "geometry", "geography", "hierarchyid", "image", "ntext", "rowversion"].map(
    (name): [string, number] => [name, 150],
  ),
  ["json", 170],
  ["vector", 170],
]);

/** Words that are no names without brackets (`t-sql/language-elements/reserved-keywords-transact-sql`). */
export const reservedWords: ReadonlySet<string> = new Set(
  `add all alter and any as asc authorization backup begin between break browse bulk by cascade case check checkpoint
  close clustered coalesce collate column commit compute constraint contains containstable continue convert create cross
  current cursor database dbcc deallocate declare default delete deny desc disk distinct distributed double drop dump
  else end errlvl escape except exec execute exists exit external fetch file fillfactor for foreign freetext
  freetexttable from full function goto grant group having holdlock identity identity_insert identitycol if in index
  inner insert intersect into is join key kill left like lineno load merge national nocheck nonclustered not null nullif
  of off offsets on open opendatasource openquery openrowset openxml option or order outer over percent pivot plan
  precision primary print proc procedure public raiserror read readtext reconfigure references replication restore
  restrict return revert revoke right rollback rowcount rowguidcol rule save schema securityaudit select
  semantickeyphrasetable semanticsimilaritydetailstable semanticsimilaritytable session_user set setuser shutdown some
  statistics table tablesample textsize then to top tran transaction trigger truncate try_convert tsequal union unique
  unpivot update updatetext use user values varying view waitfor when where while with writetext`.split(/\s+/),
);
