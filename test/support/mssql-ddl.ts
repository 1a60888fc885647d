/**
 * Maps `schema.mssql.sql` of the golden cases to the Shape that introspection would return: its statements become the
 * rows that `sys.*` returns for them. Supports only the plain form of the file: one column or constraint per line.
 */

import type {
  CatalogRows,
  ColumnRow,
  ForeignKeyRow,
  FunctionRow,
  KeyRow,
  ParameterRow,
  RelationRow,
  ReturnedColumnRow,
} from "../../compiler/dialects/mssql/introspect/rows.ts";
import { introspectMssql } from "../../compiler/dialects/mssql/introspect.ts";
import type { Shape } from "../../compiler/shape/shape.ts";

interface Table extends RelationRow {
  readonly lines: readonly string[];
}

type Sections = readonly (readonly [name: string, body: string])[];

export function shapeOfDdl(ddl: string): Promise<Shape> {
  return introspectMssql(async () => catalogueOfDdl(ddl));
}

/** Returns the result of the catalogue statement. */
export function catalogueOfDdl(ddl: string): Sections {
  const tables = [...ddl.matchAll(/^create table (\w+)\.(\w+) \(\n(.*?)\n\);$/gms)].map(
    ([, schema = "", name = "", body = ""], i): Table => ({
      id: 901_578_250 + i * 16_000_057,
      schema,
      name,
      kind: "U",
      hidesRows: false,
      comment: null,
      lines: body.split("\n").map((line) => line.trim().replace(/,$/, "")),
    }),
  );
  const columns = tables.flatMap((table) =>
    table.lines.filter((line) => !isConstraint(line)).map((line, i) => columnRow(table, line, i + 1)),
  );
  const position = (relation: number, name: string): number => {
    const found = columns.find((column) => column.relation === relation && column.name === name);
    if (!found) throw new Error(`there is no column ${name}`);
    return found.position;
  };
  const keys: KeyRow[] = [];
  const foreignKeys: ForeignKeyRow[] = [];
  let id = 0;
  for (const { id: relation, lines } of tables) {
    for (const line of lines.filter(isConstraint)) {
      const [, name = "", kind, own = "", schema, target, others = ""] =
        /^constraint (\w+) (primary key|unique|foreign key) \((.*?)\)(?: references (\w+)\.(\w+) \((.*?)\))?$/.exec(
          line,
        ) ?? [];
      const names = own.split(", ");
      if (kind === "foreign key") {
        id++;
        const to = tables.find((table) => table.schema === schema && table.name === target);
        if (!to) throw new Error(`not understood: ${line}`);
        for (const [i, other] of others.split(", ").entries()) {
          const places = {
            position: position(relation, names[i] ?? ""),
            targetPosition: position(to.id, other),
            isUnchecked: false,
          };
          foreignKeys.push({ id, relation, name, target: to.id, ...places });
        }
      } else if (kind) {
        const letters = kind === "unique" ? "UQ" : "PK";
        for (const column of names) keys.push({ relation, name, kind: letters, position: position(relation, column) });
      } else if (!/^constraint \w+ check \(/.test(line)) throw new Error(`not understood: ${line}`);
    }
  }
  const functions: FunctionRow[] = [];
  const parameters: ParameterRow[] = [];
  const returnedColumns: ReturnedColumnRow[] = [];
  for (const [i, match] of [...ddl.matchAll(functionDefinition)].entries()) {
    const [, schema = "", name = "", list = "", returns = "", body = ""] = match;
    const id = 2_101_582_525 + i * 16;
    const isTable = returns === "table";
    functions.push({ id, schema, name, kind: isTable ? "IF" : "FN", comment: null });
    const typed = (line: string, position: number) => {
      const { name, type, length, precision, scale } = columnRow({ id }, line, position);
      return { function: id, position, name, type, length, precision, scale };
    };
    if (!isTable) parameters.push({ ...typed(`result ${returns}`, 0), name: "", isTable: false });
    for (const [position, parameter] of list
      .split(/, (?=@)/)
      .filter((text) => text !== "")
      .entries()) {
      parameters.push({
        ...typed(parameter.slice(1), position + 1),
        name: /^@\w+/.exec(parameter)?.[0] ?? "",
        isTable: false,
      });
    }
    const from = tables.find((table) => body.includes(` from ${table.schema}.${table.name} `));
    for (const column of isTable ? columns.filter(({ relation }) => relation === from?.id) : []) {
      const { position, name, type, length, precision, scale } = column;
      returnedColumns.push({ function: id, position, name, type, length, precision, scale });
    }
  }
  const relations = tables.map(({ lines: _, ...row }) => row);
  return sectionsOf({
    version: "15.0.4415.2",
    relations,
    columns,
    keys,
    foreignKeys,
    functions,
    parameters,
    returnedColumns,
  });
}

/** Matches a function. If it returns rows, they have the columns of the table that it reads. */
const functionDefinition =
  /create or alter function (\w+)\.(\w+) \(([^\n]*?)\)\s+returns (table|\w+(?:\(\d+(?:, \d+)?\))?) as\n(.*?)'\);/gs;

const isConstraint = (line: string): boolean => line.startsWith("constraint ");

/** Bytes per character. */
const width: Readonly<Record<string, number>> = { varchar: 1, nvarchar: 2 };

function columnRow({ id }: Pick<Table, "id">, line: string, position: number): ColumnRow {
  const [, name = "", type = "", size = "", rest = ""] = /^(\w+) (\w+)(?:\(([^)]*)\))?(.*)$/.exec(line) ?? [];
  const computed = type === "as";
  const [first = 0, second = 0] = size === "" ? [] : size.split(", ").map(Number);
  const characters = width[type];
  return {
    relation: id,
    position,
    name,
    type: computed ? "int" : type,
    length: type === "vector" ? 8 + 4 * first : characters === undefined ? 4 : first * characters,
    precision: characters === undefined ? first : 0,
    scale: second,
    nullable: !rest.includes("not null"),
    identity: rest.includes("identity"),
    computed,
    generated: 0,
    hasDefault: rest.includes("default"),
    hidden: false,
    readsData: rest.includes("dbo."),
    collation: characters === undefined ? null : "database_default",
    comment: null,
  };
}

function sectionsOf({ version, ...sections }: CatalogRows): Sections {
  const rows = Object.entries(sections).map(([name, list]) => [name, JSON.stringify(list)] as const);
  return [["version", version], ...rows];
}
