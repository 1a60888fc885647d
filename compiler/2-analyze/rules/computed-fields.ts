/** Rules of computed fields: the supported functions and their arguments. */
import { automaticFieldDescription } from "../../../runtime/model/definitions/function.ts";
import { didYouMean } from "../../../runtime/values/nearest-name.ts";
import type { ComputedField } from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { FunctionShape, TypeRef } from "../../shape/shape.ts";
import { inferredDescription, qualifiedKey } from "../analysis.ts";
import type { AnalyzedComputedField } from "../analyzed-table.ts";
import { becauseOf, reject } from "../rejection.ts";
import type { SourceContext } from "../source-context.ts";
import type { NamedTables, TableBase } from "../tables.ts";
import { inlinedReads, onlyFunction, rowsOfFunction, sharedArgumentNames, tableArguments } from "./functions.ts";

/** @throws Rejection with all reasons why the function cannot be a computed field of the table */
export function resolveComputedField(
  context: SourceContext,
  tables: NamedTables<unknown>,
  owner: TableBase,
  field: ComputedField,
): AnalyzedComputedField {
  const shape = onlyFunction(context, field.definition.function);
  const resolution = new Resolution(context, owner, field, shape);
  const returns = resolution.returns(tables);
  const row = resolution.row();
  const sessionArgument = resolution.sessionArgument();
  resolution.checkArgumentNames({ ...row, sessionArgument });
  resolution.finish();
  return {
    name: field.name,
    field,
    function: shape,
    description: descriptionOf(context, field, shape),
    ...row,
    sessionArgument,
    returns,
  };
}

/**
 * Returns the comment of the metadata, else of the function, else a generated description; `undefined` if the comment
 * of the metadata is empty.
 */
function descriptionOf(context: SourceContext, field: ComputedField, shape: FunctionShape): string | undefined {
  const inferred = inferredDescription(shape.comment, context.options);
  return (field.comment ?? inferred ?? automaticFieldDescription(context.print(shape))) || undefined;
}

const noColumns: ReadonlyMap<number, string> = new Map();

/** Collects all problems, in the order in which messages list them. */
class Resolution {
  readonly #context: SourceContext;
  readonly #owner: TableBase;
  readonly #field: ComputedField;
  readonly #shape: FunctionShape;
  /** Name of the function in messages. */
  readonly #function: string;
  readonly #problems: string[] = [];

  constructor(context: SourceContext, owner: TableBase, field: ComputedField, shape: FunctionShape) {
    this.#context = context;
    this.#owner = owner;
    this.#field = field;
    this.#shape = shape;
    this.#function = `function "${context.print(shape)}"`;
    if (!isGraphqlName(field.name)) this.#problems.push(`"${field.name}" is not valid GraphQL name`);
    if (shape.volatility === "volatile") {
      this.#problems.push(`the ${this.#function} is of type VOLATILE; cannot be added as a computed field`);
    }
    if (owner.shape.distribution?.kind === "distributed" && shape.isOnlyLocal) {
      this.#problems.push(
        `only the coordinator of Citus has the ${this.#function}: create it again now that table "${owner.displayName}" is distributed, or run "SELECT create_distributed_function(…)"`,
      );
    }
    if (shape.readsDistributed !== undefined) this.#problems.push(...this.#distributedReads());
  }

  /** Servers of Citus cannot read other shards while they call a function for the rows of a shard. */
  #distributedReads(): readonly string[] {
    if (this.#shape.readsDistributed === "sql") return [`the ${this.#function} cannot be called: ${inlinedReads}`];
    if (this.#owner.shape.distribution?.kind !== "distributed") return [];
    return [
      `the ${this.#function} reads distributed tables or views, which the servers of Citus cannot do for each row of the distributed table "${this.#owner.displayName}": use a relationship`,
    ];
  }

  returns(tables: NamedTables<unknown>): AnalyzedComputedField["returns"] {
    const { returns } = this.#shape;
    const named = this.#field.definition.return_table;
    const { table, problems } = rowsOfFunction(this.#context, this.#shape, named, "return_table");
    this.#problems.push(...problems, ...tableArguments(this.#shape));
    if (table !== null) {
      const target = qualifiedKey(table);
      if (!tables.has(target)) {
        const printed = this.#context.print(table);
        this.#problems.push(
          `the ${this.#function} returning set of table "${printed}" is not tracked or not found in database`,
        );
      }
      return { kind: "table", target };
    }
    if (problems.length === 0 && (returns.category !== "base" || this.#shape.returnsSet)) {
      this.#problems.push(`the ${this.#function} returning type ${this.#context.print(returns)} is not a BASE type`);
    }
    return { kind: "scalar", type: returns };
  }

  /** Returns the arguments that are set from the row. */
  row(): Pick<AnalyzedComputedField, "tableArgument" | "columnArguments"> {
    if (this.#shape.arguments.length === 0) {
      this.#problems.push(`the ${this.#function} has no input arguments`);
      return { tableArgument: 0, columnArguments: noColumns };
    }
    return this.#context.dialect.functions.rowTypes
      ? { tableArgument: this.#tableArgument(), columnArguments: noColumns }
      : { tableArgument: undefined, columnArguments: this.#columnArguments() };
  }

  #tableArgument(): number {
    const { table_argument, argument_mapping } = this.#field.definition;
    const name = table_argument ?? undefined;
    if (argument_mapping !== undefined) {
      this.#problems.push(`"argument_mapping" is only for databases without row types: the row itself is an argument`);
    }
    const position = name === undefined ? 0 : this.#positionOf(name);
    const argument = this.#shape.arguments[position];
    if (argument === undefined) return 0;
    const which = `${name === undefined ? "first" : `"${name}"`} argument of the ${this.#function}`;
    if (argument.type.category !== "composite") this.#problems.push(`${which} is not COMPOSITE type`);
    if (argument.table === null || qualifiedKey(argument.table) !== this.#owner.key) {
      const type = this.#context.print(argument.table ?? argument.type);
      this.#problems.push(`${which} of type "${type}" is not the table to which the computed field is being added`);
    }
    return position;
  }

  #columnArguments(): ReadonlyMap<number, string> {
    const { table_argument, argument_mapping = {} } = this.#field.definition;
    if (table_argument != null) {
      this.#problems.push(`"table_argument" is only for databases with row types: use "argument_mapping"`);
    }
    const mapped = Object.entries(argument_mapping);
    if (mapped.length === 0) {
      this.#problems.push(`"argument_mapping" maps no argument to a column of the row`);
    }
    const columns = new Map(this.#owner.columns.map(({ name, shape }) => [name, shape.type]));
    for (const [argument, column] of mapped) {
      const type = columns.get(column);
      if (type !== undefined) {
        this.#checkConversion(argument, column, type);
        continue;
      }
      const hint = didYouMean(column, columns.keys());
      this.#problems.push(
        `"${column}" in "argument_mapping" is not a column of table "${this.#owner.displayName}"${hint ? ` (${hint})` : ""}`,
      );
    }
    return new Map(mapped.map(([name, column]) => [this.#positionOf(name), column]));
  }

  #checkConversion(argument: string, column: string, type: TypeRef): void {
    const declared = this.#shape.arguments.find(({ name }) => name === argument)?.type;
    if (declared === undefined || !this.#context.lacksEquality(declared, type)) return;
    this.#problems.push(
      `the argument "${argument}" has type "${declared.sql}", to which the database cannot convert column "${column}" of type "${type.sql}"`,
    );
  }

  sessionArgument(): number | undefined {
    const { session_argument, argument_mapping = {} } = this.#field.definition;
    const name = session_argument ?? undefined;
    if (name === undefined) return undefined;
    const { functions } = this.#context.dialect;
    const position = this.#positionOf(name);
    const argument = this.#shape.arguments[position];
    if (argument !== undefined && !functions.takesSession(argument.type)) {
      this.#problems.push(
        `"${name}" argument of the ${this.#function} is not of type ${functions.sessionType.toUpperCase()}`,
      );
    }
    if (Object.hasOwn(argument_mapping, name)) {
      this.#problems.push(`"${name}" receives the session variables and cannot be in "argument_mapping"`);
    }
    return position;
  }

  /** Checks the names of the arguments that requests set. */
  checkArgumentNames(
    filled: Pick<AnalyzedComputedField, "tableArgument" | "columnArguments" | "sessionArgument">,
  ): void {
    const isFilled = (position: number): boolean =>
      position === filled.tableArgument || position === filled.sessionArgument || filled.columnArguments.has(position);
    const shared = sharedArgumentNames(this.#context, this.#shape, (_, position) => isFilled(position));
    this.#problems.push(...shared);
  }

  /** @throws Rejection with all problems, if there are any */
  finish(): void {
    if (this.#problems.length === 0) return;
    const subject = `the computed field "${this.#field.name}" cannot be added to table "${this.#owner.displayName}"`;
    reject(becauseOf(subject, this.#problems));
  }

  #positionOf(name: string): number {
    const position = this.#shape.arguments.findIndex((argument) => argument.name === name);
    if (position < 0) this.#problems.push(`"${name}" is not an input argument of the ${this.#function}`);
    return position;
  }
}
