/**
 * What one mutation field does: statements that run one after the other, and how its answer is put together from
 * what they give. A plan like that of a query: it depends on shapes, never on values.
 */

import { invariant } from "../../../values/errors.ts";
import { type ParameterSlot, resultSlot } from "../../definitions/parameters.ts";
import { joinSql, parameter, render, type Sql, sql } from "../../definitions/sql.ts";
import type { SourceDefinition } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import type { BuildContext } from "../select/context.ts";
import { selectWritten } from "../select/select.ts";
import type { PlannedValidation } from "./validation.ts";
import { isOfRowAlone, type Reading, rowStatement, type Write, writeStatement } from "./written.ts";

/** One statement: a single row of text columns, or none for a single row that was not written. */
export interface WriteStep {
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  /** Path of errors that the database reports. */
  readonly path: string;
  /** It sets the session variables for triggers itself. */
  readonly setsUser?: true;
  /** Later steps need a row for each that was sent. */
  readonly expects?: ExpectedRows;
}

export interface ExpectedRows {
  /** The column that holds the number of rows. */
  readonly column: number;
  readonly rows: number;
  /** What is wrong when there are others. */
  readonly path: string;
  readonly message: string;
}

/** A column of a step's row. */
export interface StepColumn {
  readonly step: number;
  readonly column: number;
}

/** A piece of the answer's JSON: as it stands, a column's text, or the sum of counts. */
export type AnswerPiece = string | StepColumn | { readonly sum: readonly StepColumn[] };

export interface WritePlan {
  /** Of all the rows that the field writes. */
  readonly source: string;
  /** Webhooks that are asked before the first statement runs. */
  readonly validations: readonly PlannedValidation[];
  readonly steps: readonly WriteStep[];
  readonly answer: readonly AnswerPiece[];
}

/** How a mutation field answers: with the rows it wrote and their number, or with its only row. */
export type AnswerForm = "response" | "object";

/** Collects the steps of one field. */
export class WriteSteps {
  readonly steps: WriteStep[] = [];
  readonly #context: BuildContext;

  constructor(context: BuildContext) {
    this.#context = context;
  }

  /** Adds a statement; its columns are in the order of `readings`. */
  write(write: Write, readings: readonly Reading[], path: string, expects?: ExpectedRows): readonly StepColumn[] {
    const more = { ...(write.setsUser && { setsUser: write.setsUser }), ...(expects && { expects }) };
    return this.#add(writeStatement(write, readings, this.#context), readings.length, path, more);
  }

  /** Whether what is selected of a row can be read by the statement that writes it. */
  readsWith(selection: SelectedRows): boolean {
    return this.#context.dialect.writes.keptRows !== undefined || isOfRowAlone(selection);
  }

  /** Adds a statement that writes at most one row and answers its object. */
  writeRow(write: Write, field: SelectedRows, path: string): StepColumn {
    const [column] = this.#add(
      rowStatement(write, field, this.#context),
      1,
      path,
      write.setsUser ? { setsUser: true } : {},
    );
    invariant(column, "a statement has the column that it was added for");
    return column;
  }

  /** Adds a statement that reads rows which earlier ones wrote: one column for each selection. */
  read(
    view: TableView,
    rows: readonly StepColumn[],
    fields: readonly SelectedRows[],
    form: AnswerForm,
  ): readonly StepColumn[] {
    const { dialect } = this.#context;
    const texts = rows.map((column) => parameter(resultSlot(column)));
    const from = dialect.writes.rowsFromText(texts, view.table);
    const as = form === "object" ? "object" : "list";
    const columns = fields.map((field) => dialect.asText(selectWritten(view, field, from, as, this.#context)));
    return this.#add(sql`select ${joinSql(columns, ", ")}`, columns.length, "$");
  }

  #add(
    statement: Sql,
    columns: number,
    path: string,
    more: Pick<WriteStep, "setsUser" | "expects"> = {},
  ): readonly StepColumn[] {
    const step = this.steps.push({ ...render(statement, this.#context.dialect), path, ...more }) - 1;
    return Array.from({ length: columns }, (_, column) => ({ step, column }));
  }
}

/** The plan of a field that calls a function. @param isList whether the value is the list of the rows that it gives */
export function functionPlan({ name, dialect }: SourceDefinition, value: Sql, isList: boolean): WritePlan {
  const rows = isList ? dialect.fromRows?.(value, 1) : undefined;
  const from = rows ? sql` from ${rows.item}` : sql``;
  const step: WriteStep = { ...render(sql`select ${dialect.asText(rows?.value ?? value)}${from}`, dialect), path: "$" };
  return { source: name, validations: [], steps: [step], answer: [{ step: 0, column: 0 }] };
}

export interface FieldWrites {
  readonly view: TableView;
  /** They need nothing of each other. */
  readonly writes: readonly Write[];
  readonly validations: readonly PlannedValidation[];
  readonly field: SelectedRows;
  readonly form: AnswerForm;
  /** Path of errors of the database. */
  readonly path: string;
}

/** The plan of a field whose statements write rows of one table. */
export function planWrites(parts: FieldWrites, context: BuildContext): WritePlan {
  const { view, writes, validations } = parts;
  const steps = new WriteSteps(context);
  const answer = addWrites(parts, steps);
  // What writes nothing asks nobody.
  const asked = writes.length === 0 ? [] : validations;
  return { source: view.table.source.name, validations: asked, steps: steps.steps, answer };
}

/** Adds the statements, and what reads their rows, and returns the answer. */
export function addWrites(
  { view, writes, field, form, path }: Omit<FieldWrites, "validations">,
  steps: WriteSteps,
): readonly AnswerPiece[] {
  const selections = selectionsOfRows(field, form);
  const [only] = writes;
  if (writes.length === 1 && only && selections.every((selection) => steps.readsWith(selection))) {
    if (form === "object") return answerOf(field, form, [steps.writeRow(only, field, path)], []);
    const readings = selections.map((selection): Reading => ({ kind: "list", field: selection }));
    const columns = steps.write(only, [...readings, { kind: "count" }], path);
    return answerOf(field, form, columns, columns.slice(-1));
  }
  const readings: readonly Reading[] =
    selections.length > 0 ? [{ kind: "count" }, { kind: "rows" }] : [{ kind: "count" }];
  const written = writes.map((write) => steps.write(write, readings, path));
  const counts = written.flatMap(([count]) => count ?? []);
  return answerOf(
    field,
    form,
    addReads(
      { view, field, form },
      written.flatMap(([, rows]) => rows ?? []),
      steps,
    ),
    counts,
  );
}

/** Adds the statement that reads rows as the field selects them: a column for each of its selections. */
export function addReads(
  { view, field, form }: Pick<FieldWrites, "view" | "field" | "form">,
  rows: readonly StepColumn[],
  steps: WriteSteps,
): readonly StepColumn[] {
  return rows.length === 0 ? [] : steps.read(view, rows, selectionsOfRows(field, form), form);
}

/** What is selected of the rows: the field itself, or each `returning` of a response. */
export function selectionsOfRows(field: SelectedRows, form: AnswerForm): readonly SelectedRows[] {
  return form === "object" ? [field] : field.selection.filter((selection) => selection.meta.kind === "returning");
}

/**
 * The JSON of the field.
 * @param columns of the selections of rows; there are none where no statement ran
 */
export function answerOf(
  field: SelectedRows,
  form: AnswerForm,
  columns: readonly StepColumn[],
  counts: readonly StepColumn[],
): readonly AnswerPiece[] {
  if (form === "object") return [columns[0] ?? "null"];
  const selections = selectionsOfRows(field, form);
  const members = field.selection.flatMap((selection, i): AnswerPiece[] => {
    const key = `${i === 0 ? "{" : ","}${JSON.stringify(selection.key)}:`;
    const { meta } = selection;
    switch (meta.kind) {
      case "constant":
        return [key, JSON.stringify(meta.value)];
      case "affected_rows":
        return [key, { sum: counts }];
      default:
        return [key, columns[selections.indexOf(selection)] ?? "[]"];
    }
  });
  return members.length === 0 ? ["{}"] : [...members, "}"];
}
