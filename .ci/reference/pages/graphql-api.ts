/** `docs/reference/graphql-api.md`: root fields, operators, aggregates, scalars and directives, from their tables. */
import { type InputValueDefinitionNode, Kind, parse, print } from "graphql";
import { directiveDefinitions } from "../../../runtime/execute/introspection-objects.ts";
import type { Dialect } from "../../../runtime/model/definitions/dialect.ts";
import type { Operator } from "../../../runtime/model/definitions/operator.ts";
import type { ScalarType } from "../../../runtime/model/definitions/scalar-type.ts";
import { render, type Sql, verbatim } from "../../../runtime/model/definitions/sql.ts";
import { sqlServer } from "../../../runtime/model/dialects/mssql/dialect.ts";
import { mssql, typeNames } from "../../../runtime/model/dialects/mssql/scalars.ts";
import { postgres } from "../../../runtime/model/dialects/postgres/dialect.ts";
import { type PgTypeRow, pg, pgArray, pgTypes } from "../../../runtime/model/dialects/postgres/scalars.ts";
import { operatorExamples, rootKinds, updateExamples } from "../graphql.ts";
import type { ReferencePage } from "../page.ts";
import { gapsTable } from "../sql-server-gaps.ts";
import { code, inline, optionLink, page, table } from "../texts.ts";

const intro = `
Here you look up the fields, arguments, operators and types of the GraphQL API that the engine makes from your tables.
`;

const rootText = `
The names are those of a table \`book\`. The naming convention, the names in the metadata and the namespace of a source
change them (${optionLink("defaultNamingConvention")}). A role has a field only if it has the permission for it.
\`id\` stands for the columns of the primary key.
`;

const argumentTexts: readonly (readonly [string, string])[] = [
  [
    "`where`",
    "the filter: columns with [operators](#comparison-operators), relationships with a filter, `_and`, `_or`, `_not`, and aggregates of array relationships (`loans_aggregate`)",
  ],
  [
    "`order_by`",
    "columns, object relationships and aggregates of array relationships, each with an [ordering](#orderings)",
  ],
  ["`limit`, `offset`", "the number of rows, and of skipped rows"],
  ["`distinct_on`", "columns; one row for each of their values. They must begin `order_by`"],
  ["`top_per`", "`columns` and `limit`: the first rows for each combination of the columns' values, before `limit`"],
  ["`objects`, `object`", "the rows, with rows of relationships below `data`"],
  [
    "`on_conflict`",
    "`constraint`; `update_columns`, `where`: the update of existing rows; `return_existing`: returns them unchanged (PostgreSQL)",
  ],
  ["`if_matched`", "`match_columns`, `update_columns`, `where`: the same for SQL Server"],
  ["`_set`, `_inc`, …", "[update operators](#update-operators)"],
  ["`pk_columns`", "the primary key of the row"],
  [
    "`_related`",
    "[writes of related rows](../how-to/insert-update-delete.md#related-rows), by relationship: `delete`, `disconnect`, `update`, `set`, `connect`, `insert`; a member of rows in `objects` and `object` with [existing rows](../how-to/insert-update-delete.md#existing-rows-in-inserts): `connect`, `connect_or_create`",
  ],
  ["`updates`", "a list of `{where, _set, …}`, run in order in one transaction"],
  ["`cursor`", "`initial_value` of a column and `ordering`; the stream begins behind it"],
  ["`batch_size`", "the largest number of rows in one result"],
  ["`first`, `after`, `last`, `before`", "the number of rows, and a cursor"],
  ["`args`", "the arguments of a function or query"],
];

const cell = (text: string): string => code(text.replaceAll("|", "\\|").replace(/\s+/g, " "));

interface NamedType {
  readonly sql: string;
  readonly type: ScalarType;
}

const pgNames = Object.keys(pgTypes);
const postgresTypes: readonly NamedType[] = [
  ...pgNames.map((name) => ({ sql: name, type: pg(name) })),
  { sql: "arrays", type: pgArray(pg("int4")) },
];
const mssqlTypes: readonly NamedType[] = typeNames.map((name) => ({ sql: name, type: mssql(name) }));

/** The JSON columns of SQL Server, which metadata declares. */
const mssqlJson: NamedType = { sql: "JSON columns", type: mssql("nvarchar", { holds: "json" }) };

/** Most types have the operator: the list names the others. */
function typesOf(types: readonly NamedType[], has: (type: ScalarType) => boolean): string {
  const names = (list: readonly NamedType[]): string => [...new Set(list.map(({ sql }) => code(sql)))].join(", ");
  const having = types.filter(({ type }) => has(type));
  const lacking = types.filter(({ type }) => !has(type));
  if (lacking.length === 0) return "all";
  return having.length > lacking.length ? `all except ${names(lacking)}` : names(having);
}

function operandOf(operator: Operator, column: ScalarType): string {
  switch (operator.kind) {
    case "flag":
      return "`Boolean`";
    case "cast":
      return `operators of ${code(operator.target.graphql)}`;
    case "structured": {
      const fields = Object.entries(operator.fields).map(
        ([name, { type, required, defaultValue }]) =>
          `${name}: ${type.graphql}${required ? "!" : ""}${defaultValue === undefined ? "" : ` = ${defaultValue}`}`,
      );
      return code(`{${fields.join(", ")}}`);
    }
    case "compare": {
      const { operand, list } = operator;
      const isOfColumn = operand.graphql === column.graphql;
      if (list) return isOfColumn ? "values of the column's type" : code(`[${operand.graphql}!]`);
      return isOfColumn ? "value of the column's type" : code(operand.graphql);
    }
  }
}

/** Returns the condition in SQL, with the names `column` and `value`. */
function conditionOf(operator: Operator, dialect: Dialect): string {
  const column = verbatim("column");
  const value = verbatim("value");
  const text = (sql: Sql): string => render(sql, dialect).text;
  switch (operator.kind) {
    case "flag":
      return `${text(operator.sql(column, true))}; not null`;
    case "cast":
      return text(operator.sql(column));
    case "structured":
      return text(
        operator.sql(
          column,
          Object.keys(operator.fields).map((name) => verbatim(name)),
        ),
      );
    case "compare":
      return text(operator.sql(column, value));
  }
}

interface OperatorRow {
  readonly operator: Operator;
  readonly column: ScalarType;
}

/** Returns the operators of a database by name, each with the first type that has it. */
function operatorsOf(dialect: Dialect, types: readonly NamedType[]): ReadonlyMap<string, OperatorRow> {
  const found = new Map<string, OperatorRow>();
  for (const { type } of types) {
    for (const operator of dialect.operators(type)) {
      if (!found.has(operator.name)) found.set(operator.name, { operator, column: type });
    }
  }
  return found;
}

const hasOperator = (dialect: Dialect, name: string) => (type: ScalarType) =>
  dialect.operators(type).some((each) => each.name === name);

function postgresOperators(): string {
  const rows = [...operatorsOf(postgres, postgresTypes)].map(([name, { operator, column }]) => [
    code(name),
    operandOf(operator, column),
    cell(conditionOf(operator, postgres)),
    typesOf(postgresTypes, hasOperator(postgres, name)),
    cell(operatorExamples[name] ?? ""),
  ]);
  return table(["operator", "operand", "SQL", "types", "example"], rows);
}

function mssqlOperators(): string {
  const types = [...mssqlTypes, mssqlJson];
  const rows = [...operatorsOf(sqlServer, types)].map(([name, { operator, column }]) => [
    code(name),
    operandOf(operator, column),
    typesOf(types, hasOperator(sqlServer, name)),
  ]);
  return table(["operator", "operand", "types"], rows);
}

function updateRows(): string {
  const names = new Set(
    [postgres, sqlServer].flatMap(({ updateOperators }) => updateOperators.map(({ name }) => name)),
  );
  const rows = [...names].map((name) => {
    const inPostgres = postgres.updateOperators.find((each) => each.name === name);
    const inMssql = sqlServer.updateOperators.find((each) => each.name === name);
    const operator = inPostgres ?? inMssql;
    const text = operator?.argumentDescription ?? operator?.description("") ?? "";
    return [
      code(name),
      inline(text),
      inPostgres ? typesOf(postgresTypes, inPostgres.on) : "",
      inMssql ? typesOf([...mssqlTypes, mssqlJson], inMssql.on) : "",
      cell(updateExamples[name] ?? ""),
    ];
  });
  return table(["operator", "effect", "PostgreSQL types", "SQL Server types", "example"], rows);
}

function aggregateRows(): string {
  const rows = [...postgres.aggregates].map(([name, { on, result }]) => [
    code(name),
    on === "numeric" ? "numbers" : "values with an order",
    result === "float" ? code("Float") : "the type of the column",
    sqlServer.aggregates.has(name) ? "both" : "PostgreSQL",
  ]);
  return table(
    ["function", "columns", "result", "databases"],
    [
      ["`count`", "all, with `columns` (SQL Server: `column`) and `distinct`", "`Int!`", "both"],
      ...rows,
      ["`bool_and`", "one column with booleans: `column`", "`Boolean`", "both"],
      ["`bool_or`", "one column with booleans: `column`", "`Boolean`", "both"],
      ["`string_agg`", "one text column: `column`, `separator`, `order_by`", "`String`", "both"],
      ["`percentile_cont`", "one column with numbers: `column`, `fraction` from 0 to 1", "`Float`", "both"],
    ],
  );
}

function predicateRows(): string {
  const takes = { columns: "columns of any type", column: "one column", pair: "two columns" };
  const rows = postgres.aggregatePredicates.map(({ name, takes: form, type }) => [
    code(name),
    takes[form],
    code(type.graphql),
    sqlServer.aggregatePredicates.some((each) => each.name === name) ? "both" : "PostgreSQL",
  ]);
  return table(["function", "arguments", "compared as", "databases"], rows);
}

/** Returns what SQL Server lacks, of the operators and aggregates above. */
function mssqlGaps(): string {
  const namesIn = (dialect: Dialect, types: readonly NamedType[]): ReadonlySet<string> =>
    new Set([
      ...operatorsOf(dialect, types).keys(),
      ...dialect.updateOperators.map(({ name }) => name),
      ...dialect.aggregates.keys(),
      ...dialect.aggregatePredicates.map(({ name }) => name),
    ]);
  const present = namesIn(sqlServer, [...mssqlTypes, mssqlJson]);
  const missing = [...namesIn(postgres, postgresTypes)].filter((name) => !present.has(name));
  return gapsTable(new Set(missing), present);
}

function jsonForm({ json, output, numeric, wide, recorded }: PgTypeRow): string {
  if (json) return "any JSON value";
  if (numeric && recorded !== undefined)
    return wide ? `number; text with ${optionLink("stringifyNumericTypes")}` : "number";
  if (recorded === "boolean") return "boolean";
  if (recorded === "texts") return "object of texts";
  return output && recorded === "any" ? "GeoJSON" : "text";
}

const scalarRows = (): string =>
  table(
    ["PostgreSQL type", "scalar", "JSON"],
    pgNames.map((name) => {
      const row = pgTypes[name] as PgTypeRow;
      const names = [...new Set([name, ...(row.standard ? [row.standard] : []), ...(row.aliases ?? [])])];
      return [names.map(code).join(", "), code(row.graphql), jsonForm(row)];
    }),
  );

const mssqlScalarRows = (): string =>
  table(
    ["SQL Server type", "scalar", "JSON"],
    mssqlTypes.map(({ sql, type }) => [
      code(sql),
      code(type.graphql),
      type.numeric ? "number" : sql === "bit" ? "boolean" : "text",
    ]),
  );

const directiveTexts: Readonly<Record<string, string>> = {
  cached:
    "responses of the query are cached for `ttl` seconds; `refresh` replaces the cached one ([caching](../how-to/caching.md))",
  include: "the field or fragment is part of the result if `if` is true",
  skip: "the field or fragment is left out if `if` is true",
};

const withoutDescription = ({ description: _, ...argument }: InputValueDefinitionNode): InputValueDefinitionNode =>
  argument;

/** @throws Error if a directive has no description */
function directiveRows(): string {
  const rows = parse(directiveDefinitions).definitions.flatMap((node) => {
    if (node.kind !== Kind.DIRECTIVE_DEFINITION) return [];
    const text = directiveTexts[node.name.value];
    if (text === undefined) throw new Error(`the directive ${node.name.value} has no description`);
    const args = (node.arguments ?? []).map((argument) => print(withoutDescription(argument)));
    return [
      [
        code(`@${node.name.value}`),
        code(args.join(", ")),
        node.locations.map(({ value }) => code(value)).join(", "),
        text,
      ],
    ];
  });
  return table(["directive", "arguments", "places", "effect"], rows);
}

export const graphqlApiPage: ReferencePage = {
  path: "docs/reference/graphql-api.md",
  render: () => {
    const roots = Object.values(rootKinds).map(({ types, name, arguments: args, result }) => [
      code(name),
      types,
      args.map(code).join(", "),
      result,
    ]);
    const orderings = [...postgres.orderings].map(([name, { description }]) => {
      const isStandard = sqlServer.orderings.get(name);
      return [code(name), description, isStandard ? isStandard.description : ""];
    });
    return Promise.resolve(
      page(
        "# GraphQL API",
        intro,
        "## Root fields",
        rootText,
        table(["field", "type", "arguments", "result"], roots),
        "## Arguments",
        table(["argument", "meaning"], argumentTexts),
        "Fields of array relationships have `where`, `order_by`, `limit`, `offset`, `distinct_on` and `top_per`; a column of type `jsonb`\nor `json` has `path`, which selects a part of the value.",
        "## Orderings",
        table(["ordering", "PostgreSQL", "SQL Server"], orderings),
        "## Comparison operators",
        `The operators of one column are combined by AND. \`null\` as an operand is an error, except with
${optionLink("v1BooleanNullCollapse")}.`,
        "### PostgreSQL",
        "`where` has the example for a table with the columns `id`, `word`, `data` (`jsonb`), `list` (`integer[]`), `place`\n(`ltree`), `shape` (`geometry`), `area` (`geography`), `image`\n(`raster`) and `embedding` (`vector`).",
        postgresOperators(),
        "### SQL Server",
        "JSON columns are text columns that the metadata [declares as JSON](../how-to/sql-server.md).",
        mssqlOperators(),
        "## Update operators",
        updateRows(),
        "## Aggregate functions",
        'They are fields of `aggregate`, with a field or an argument for each column:\n`book_aggregate { aggregate { count max { id } string_agg(column: title, separator: ", ") } }`. An `aggregate` of\n[groups](../how-to/aggregates.md#groups) has a `filter`.',
        aggregateRows(),
        "Filters compare these aggregates of an array relationship: `{loans_aggregate: {count: {predicate: {_gt: 2}}}}`. `filter`\nselects the rows, and `distinct: true` counts equal values once. [Groups](../how-to/aggregates.md#groups) are\nfiltered and sorted by aggregates of their rows.",
        predicateRows(),
        "## What SQL Server lacks",
        "Schemas of SQL Server sources do not contain these names. Schemas and statements are the same at every compatibility\nlevel from 130; only the type `vector`, whose values have distances, needs SQL Server 2025.",
        mssqlGaps(),
        "## Scalars",
        "Requests may pass a text for every scalar, which the database converts. Domains have the scalar of their base type; an\nenum, composite or other type has a scalar of its own name. Arrays are lists.",
        scalarRows(),
        mssqlScalarRows(),
        "## Directives",
        directiveRows(),
      ),
    );
  },
};
