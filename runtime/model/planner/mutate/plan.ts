/**
 * Plans of mutation fields: statements that run in order, and the response built from their results. Like plans of
 * queries, they depend on shapes, never on values.
 */

import { invariant } from "../../../values/errors.ts";
import type { ParameterSlot } from "../../definitions/parameters.ts";
import { joinSql, render, type Sql, sql } from "../../definitions/sql.ts";
import type { SourceDefinition } from "../../definitions/table.ts";
import type { TableView } from "../../definitions/view.ts";
import type { SelectedRows } from "../request/selected-field.ts";
import type { BuildContext } from "../select/context.ts";
import { selectWritten } from "../select/select.ts";
import type { FindStatements } from "./changed-rows.ts";
import type { PlannedValidation } from "./validation.ts";
import {
  foundStatement,
  isChanges,
  isOfRowAlone,
  type Reading,
  rowStatement,
  type Write,
  writeStatement,
} from "./written.ts";
import {
  changeRows,
  placeOfRows,
  type RowsColumn,
  rowsOf,
  type StepColumn,
  selectChanges,
  shardColumn,
  type WrittenRows,
} from "./written-rows.ts";

export type { StepColumn } from "./written-rows.ts";

/** A statement that returns one row of text columns, or no row if a single row was not written. */
export interface WriteStep {
  readonly text: string;
  readonly slots: readonly ParameterSlot[];
  /** Path for database errors. */
  readonly path: string;
  /** Set if the statement itself sets the session variables for triggers. */
  readonly setsUser?: true;
  /** Set if the field fails without every row of this step. */
  readonly expects?: ExpectedRows;
  /** Number of rows of an earlier step: without rows, this step does not run and writes none. */
  readonly needs?: StepColumn;
  /** Numbers of rows of earlier steps: if one of them has rows, this step does not run and writes none. */
  readonly lacks?: readonly StepColumn[];
}

export interface ExpectedRows {
  /** Result column with the number of rows. */
  readonly column: number;
  readonly rows: number;
  /** Accepts also no rows. */
  readonly orNone?: true;
  /** Path and message of the error for any other number of rows. */
  readonly path: string;
  readonly message: string;
}

/** A piece of the response's JSON: literal text, a column's text, or a sum of counts. */
export type ResultPiece = string | StepColumn | { readonly sum: readonly StepColumn[] };

export interface WritePlan {
  /** Source of the rows that the field writes. */
  readonly source: string;
  /** Validation webhooks, called before the first statement. */
  readonly validations: readonly PlannedValidation[];
  readonly steps: readonly WriteStep[];
  readonly result: readonly ResultPiece[];
}

/** Form of a mutation field's response: the written rows and their number, or the only row. */
export type ResultForm = "response" | "object";

/** Parts of written rows that later statements and selections read. */
export interface RowReads {
  /** Quoted names of columns whose values other rows copy. */
  readonly columns: readonly string[];
  readonly rows: boolean;
  readonly changes: boolean;
}

interface WrittenResults extends WrittenRows {
  readonly count: StepColumn;
  /** One for each of the columns. */
  readonly values: readonly StepColumn[];
}

/** Collects the steps of one field. */
export class WriteSteps {
  readonly steps: WriteStep[] = [];
  readonly #context: BuildContext;
  #needs: StepColumn | undefined;
  #lacks: readonly StepColumn[] = [];

  constructor(context: BuildContext) {
    this.#context = context;
  }

  /** Adds steps that run only if an earlier step has rows, whose number is in the column. */
  ifRows<T>(count: StepColumn, add: () => T): T {
    const outer = this.#needs;
    this.#needs = count;
    const added = add();
    this.#needs = outer;
    return added;
  }

  /** Adds steps that run only if an earlier step has no rows, whose number is in the column. */
  unlessRows<T>(count: StepColumn, add: () => T): T {
    const outer = this.#lacks;
    this.#lacks = [...outer, count];
    const added = add();
    this.#lacks = outer;
    return added;
  }

  /** Adds a statement whose result columns are in the order of `readings`. */
  write(write: Write, readings: readonly Reading[], path: string, expects?: ExpectedRows): readonly StepColumn[] {
    const more = { ...(write.setsUser && { setsUser: write.setsUser }), ...(expects && { expects }) };
    return this.#add(writeStatement(write, readings, this.#context), readings.length, path, more);
  }

  /** Adds the statements that write rows for selections that later statements read. */
  writeRows(write: Write, reads: RowReads, path: string, expects?: ExpectedRows): WrittenResults {
    if (write.find) {
      return this.#findRows(write, write.find.rows(), reads, path, expects);
    }
    const isGone = write.kind === "delete";
    const shard = reads.rows && !isGone ? shardColumn(write.view.table) : undefined;
    const readings: Reading[] = [
      { kind: "count" },
      ...reads.columns.map((column): Reading => ({ kind: "values", column })),
      ...(reads.rows ? [{ kind: "rows" } as const] : []),
      ...(reads.changes ? [{ kind: "changes" } as const] : []),
      ...(shard ? [{ kind: "values", column: shard.sql } as const] : []),
    ];
    const [count, ...results] = this.write(write, readings, path, expects);
    invariant(count, "a statement returns the number of rows");
    const values = results.slice(0, reads.columns.length);
    const shardKeys = shard && results.pop();
    const more = { ...(isGone && { isGone: true as const }), ...(shardKeys && { shardKeys }) };
    const rows = results
      .slice(values.length, values.length + (reads.rows ? 1 : 0))
      .map((each) => ({ ...each, ...more }));
    const changes = results.slice(values.length + rows.length).map((text) => ({ text }));
    return { count, values, rows, changes };
  }

  /** Adds a statement that inserts or finds rows; if columns are read, adds another statement that reads all these rows. */
  #findRows(
    write: Write,
    statement: Sql,
    reads: RowReads,
    path: string,
    expects: ExpectedRows | undefined,
  ): WrittenResults {
    const more = write.setsUser ? { setsUser: true as const } : {};
    const [count, inserted, found, met] = this.#add(statement, 4, path, more);
    invariant(count && inserted && found && met, "the statement returns the inserted and the existing rows");
    const existing: readonly RowsColumn[] = [found, { ...met, isUnchecked: true }];
    const rows = [inserted, ...existing];
    const changes = reads.changes
      ? [
          { rows: [inserted], areInserted: true },
          { rows: existing, areInserted: false },
        ]
      : [];
    if (reads.columns.length === 0 && expects === undefined) return { count, values: [], rows, changes };
    const { writes } = this.#context.dialect;
    const [name, { table }] = [this.#context.alias(), write.view];
    const texts = reads.columns.map((column) => writes.valuesAsText(column, name, table));
    const from = rowsOf(rows, write.view, this.#context);
    const values = this.#add(
      sql`select ${joinSql([writes.countRows(name), ...texts], ", ")} from ${from} ${name}`,
      1 + texts.length,
      path,
      expects ? { expects } : {},
    );
    return { count, values: values.slice(1), rows, changes };
  }

  /** Returns true if the statement that writes a row can also return the selection. */
  readsWith(selection: SelectedRows): boolean {
    const { keptRows, changes } = this.#context.dialect.writes;
    if (isChanges(selection) && changes?.fromWritten === undefined) return false;
    return keptRows !== undefined || isOfRowAlone(selection);
  }

  /** Adds a statement that writes at most one row and returns its object. */
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

  /** Adds a statement that inserts or finds rows: one column for each selection, then the number of inserted rows. */
  findRows(
    { view, setsUser }: Write,
    read: NonNullable<FindStatements["read"]>,
    fields: readonly SelectedRows[],
    form: ResultForm,
    path: string,
  ): readonly StepColumn[] {
    const as = form === "object" ? "object" : "list";
    const statement = foundStatement(view, read, { fields, as }, this.#context);
    return this.#add(statement, fields.length + 1, path, setsUser ? { setsUser: true } : {});
  }

  /** Adds a statement that reads rows written earlier: one column for each selection. */
  read(
    view: TableView,
    { rows, changes }: WrittenRows,
    fields: readonly SelectedRows[],
    form: ResultForm,
  ): readonly StepColumn[] {
    const { dialect } = this.#context;
    const as = form === "object" ? "object" : "list";
    const columns = fields.map((field) => {
      if (isChanges(field))
        return dialect.asText(selectChanges(view, field, changeRows(view, changes, this.#context), this.#context));
      const place = placeOfRows(rows, view, this.#context);
      return dialect.asText(selectWritten(view, field, rowsOf(rows, view, this.#context), as, this.#context, place));
    });
    return this.#add(sql`select ${joinSql(columns, ", ")}`, columns.length, "$");
  }

  #add(
    statement: Sql,
    columns: number,
    path: string,
    more: Pick<WriteStep, "setsUser" | "expects"> = {},
  ): readonly StepColumn[] {
    const conditions = {
      ...(this.#needs && { needs: this.#needs }),
      ...(this.#lacks.length > 0 && { lacks: this.#lacks }),
    };
    const step = this.steps.push({ ...render(statement, this.#context.dialect), path, ...more, ...conditions }) - 1;
    return Array.from({ length: columns }, (_, column) => ({ step, column }));
  }
}

/**
 * Returns the plan of a function call.
 * @param isList true if the value is the list of the function's rows
 */
export function functionPlan({ name, dialect }: SourceDefinition, value: Sql, isList: boolean): WritePlan {
  const rows = isList ? dialect.fromRows?.(value, 1) : undefined;
  const from = rows ? sql` from ${rows.item}` : sql``;
  const step: WriteStep = { ...render(sql`select ${dialect.asText(rows?.value ?? value)}${from}`, dialect), path: "$" };
  return { source: name, validations: [], steps: [step], result: [{ step: 0, column: 0 }] };
}

export interface FieldWrites {
  readonly view: TableView;
  /** Independent statements. */
  readonly writes: readonly Write[];
  readonly validations: readonly PlannedValidation[];
  readonly field: SelectedRows;
  readonly form: ResultForm;
  /** Path for database errors. */
  readonly path: string;
  /** Number of rows that each statement must write. */
  readonly expects?: Omit<ExpectedRows, "column">;
}

/** Returns the plan of a field whose statements write rows of one table. */
export function planWrites(parts: FieldWrites, context: BuildContext): WritePlan {
  const { view, writes, validations } = parts;
  const steps = new WriteSteps(context);
  const result = addWrites(parts, steps);
  // A field without writes calls no validation webhook.
  const calls = writes.length === 0 ? [] : validations;
  return { source: view.table.source.name, validations: calls, steps: steps.steps, result };
}

/** Adds the statements that write and read the rows, and returns the response. */
export function addWrites(
  { view, writes, field, form, path, expects }: Omit<FieldWrites, "validations">,
  steps: WriteSteps,
): readonly ResultPiece[] {
  const selections = selectionsOfRows(field, form);
  const [only] = writes.length === 1 ? writes : [];
  if (only?.find?.read && expects === undefined && selections.every((selection) => isOfRowAlone(selection))) {
    const columns = steps.findRows(only, only.find.read, selections, form, path);
    return resultPieces(field, form, columns, columns.slice(-1));
  }
  if (only && !only.find && selections.every((selection) => steps.readsWith(selection))) {
    if (form === "object") return resultPieces(field, form, [steps.writeRow(only, field, path)], []);
    const readings = selections.map((selection): Reading => ({ kind: "list", field: selection }));
    const expected = expects && { ...expects, column: readings.length };
    const columns = steps.write(only, [...readings, { kind: "count" }], path, expected);
    return resultPieces(field, form, columns, columns.slice(-1));
  }
  const reads = { columns: [], ...readsOf(field, form) };
  const expected = expects && { ...expects, column: 0 };
  const written = writes.map((write) => steps.writeRows(write, reads, path, expected));
  return resultPieces(
    field,
    form,
    addReads({ view, field, form }, written, steps),
    written.map(({ count }) => count),
  );
}

/** Returns the parts of written rows that selections read. */
export function readsOf(field: SelectedRows, form: ResultForm): Pick<RowReads, "rows" | "changes"> {
  const selections = selectionsOfRows(field, form);
  const changes = selections.filter(isChanges);
  return { rows: selections.length > changes.length, changes: changes.length > 0 };
}

/**
 * Adds the statement that reads the selected rows: one column for each selection.
 * @param written results of each statement
 */
export function addReads(
  { view, field, form }: Pick<FieldWrites, "view" | "field" | "form">,
  written: readonly WrittenRows[],
  steps: WriteSteps,
): readonly StepColumn[] {
  const all = { rows: written.flatMap(({ rows }) => rows), changes: written.flatMap(({ changes }) => changes) };
  const isEmpty = all.rows.length === 0 && all.changes.length === 0;
  return isEmpty ? [] : steps.read(view, all, selectionsOfRows(field, form), form);
}

/** Returns the selections of rows: the field itself, or each `returning` and `changes` of a response. */
function selectionsOfRows(field: SelectedRows, form: ResultForm): readonly SelectedRows[] {
  if (form === "object") return [field];
  return field.selection.filter(({ meta }) => meta.kind === "returning" || meta.kind === "changes");
}

/**
 * Returns the JSON of the field.
 * @param columns one for each selection of rows; empty if no statement runs
 */
export function resultPieces(
  field: SelectedRows,
  form: ResultForm,
  columns: readonly StepColumn[],
  counts: readonly StepColumn[],
): readonly ResultPiece[] {
  if (form === "object") return [columns[0] ?? "null"];
  const selections = selectionsOfRows(field, form);
  const members = field.selection.flatMap((selection, i): ResultPiece[] => {
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
