/** Computed fields: which functions can be one, and how they are called (`metadata-api.md` 2.8). */
import { automaticFieldDescription } from "../../../runtime/definitions/function.ts";
import type { ComputedField } from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import type { FunctionShape } from "../../shape/shape.ts";
import { qualifiedKey } from "../analysis.ts";
import type { AnalyzedComputedField } from "../analyzed-table.ts";
import { inferredDescription } from "../inferred-description.ts";
import { becauseOf, reject } from "../rejection.ts";
import type { SourceContext } from "../source-context.ts";
import type { TableBase } from "../tables.ts";
import { onlyFunction } from "./functions.ts";

/** @throws Rejection with everything that keeps the function from being a field of the table */
export function resolveComputedField(
  context: SourceContext,
  tables: ReadonlyMap<string, unknown>,
  owner: TableBase,
  field: ComputedField,
): AnalyzedComputedField {
  const shape = onlyFunction(context, field.definition.function);
  const resolution = new Resolution(context, owner, field, shape);
  const returns = resolution.returns(tables);
  const tableArgument = resolution.tableArgument();
  const sessionArgument = resolution.sessionArgument();
  resolution.finish();
  return {
    name: field.name,
    field,
    function: shape,
    description: descriptionOf(context, field, shape),
    tableArgument,
    sessionArgument,
    returns,
  };
}

/** What the metadata says; nothing if it says so; else the comment of the function, or what it is. */
function descriptionOf(context: SourceContext, field: ComputedField, shape: FunctionShape): string | undefined {
  const inferred = inferredDescription(shape.comment, context.options);
  return (field.comment ?? inferred ?? automaticFieldDescription(context.print(shape))) || undefined;
}

/** Collects every problem, in the order in which messages list them. */
class Resolution {
  readonly #context: SourceContext;
  readonly #owner: TableBase;
  readonly #field: ComputedField;
  readonly #shape: FunctionShape;
  /** The function as messages name it. */
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
  }

  returns(tables: ReadonlyMap<string, unknown>): AnalyzedComputedField["returns"] {
    const { returns, returnsTable } = this.#shape;
    if (returnsTable !== null) {
      const target = qualifiedKey(returnsTable);
      if (!tables.has(target)) {
        const table = this.#context.print(returnsTable);
        this.#problems.push(
          `the ${this.#function} returning set of table "${table}" is not tracked or not found in database`,
        );
      }
      return { kind: "table", target };
    }
    if (returns.category !== "base" || this.#shape.returnsSet) {
      this.#problems.push(`the ${this.#function} returning type ${this.#context.print(returns)} is not a BASE type`);
    }
    return { kind: "scalar", type: returns };
  }

  tableArgument(): number {
    const name = this.#field.definition.table_argument ?? undefined;
    if (this.#shape.arguments.length === 0) {
      this.#problems.push(`the ${this.#function} has no input arguments`);
      return 0;
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

  sessionArgument(): number | undefined {
    const name = this.#field.definition.session_argument ?? undefined;
    if (name === undefined) return undefined;
    const position = this.#positionOf(name);
    const argument = this.#shape.arguments[position];
    if (argument !== undefined && !this.#context.comparedType(argument.type).scalar.json) {
      this.#problems.push(`"${name}" argument of the ${this.#function} is not of type JSON`);
    }
    return position;
  }

  /** @throws Rejection with the problems, if there are any */
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
