/** Compiles golden cases for SQL Server: their statements, with values. */
import { parse as parseYaml } from "yaml";
import { bind, type ParameterSlot } from "../../runtime/model/definitions/parameters.ts";
import { type CaseKind, type GoldenCase, readFixture } from "../golden/cases.ts";
import { compileShape } from "./compiled.ts";
import { shapeOfDdl } from "./mssql-ddl.ts";
import { planCase } from "./plan-case.ts";
import { prettySql } from "./pretty-sql.ts";

interface Metadata {
  readonly sources: readonly { readonly tables: readonly unknown[]; readonly [member: string]: unknown }[];
  readonly [member: string]: unknown;
}

const { sources, ...others } = parseYaml(await readFixture("metadata.mssql.yaml")) as Metadata;
const shape = await shapeOfDdl(await readFixture("schema.mssql.sql"));

const [{ tables, ...inSource } = { tables: [] }] = sources;

export const sqlServerLibrary = compileShape(shape, tables, others, inSource);

interface Statement {
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
}

export function planOnSqlServer(kind: CaseKind, goldenCase: GoldenCase): Statement[] {
  const { statements, writes } = planCase(sqlServerLibrary.role(goldenCase.role), kind, goldenCase);
  return [...statements, ...writes.flatMap(({ steps }) => steps)];
}

/** Returns the statements as a file, each after its values. */
export function sqlServerFile(statements: readonly Statement[], { session, variables }: GoldenCase): string {
  const input = { variables: variables ?? {}, session: new Map(Object.entries(session)) };
  const value = (slot: ParameterSlot): string =>
    slot.kind === "result" || slot.kind === "copied"
      ? "from the rows written before"
      : JSON.stringify(bind([slot], input)[0] ?? null);
  return statements
    .map(({ text, slots }) => {
      const lines = slots.map((slot, i) => `-- @p${i + 1}: ${value(slot)}\n`);
      return `${lines.join("")}${prettySql(text)};\n`;
    })
    .join("\n");
}
