/** Rules of stored procedures: the model exists, and types and names of arguments are valid in SQL. */
import type { StoredProcedure } from "../../catalog/model.ts";
import { isGraphqlName } from "../../catalog/schema/scalars.ts";
import {
  type AnalyzedModel,
  type AnalyzedNativeArgument,
  type AnalyzedStoredProcedure,
  qualifiedKey,
} from "../analysis.ts";
import { storedProcedureObject } from "../metadata-objects.ts";
import { baseName } from "../naming.ts";
import { reject } from "../rejection.ts";
import { addDependencies, type ModelScope, rejectUnknownModel } from "./logical-models.ts";

interface StoredProcedureScope extends ModelScope {
  readonly models: ReadonlyMap<string, AnalyzedModel>;
}

/** Returns the consistent stored procedures of the source by root field, sorted. */
export function analyzeStoredProcedures(scope: StoredProcedureScope): Map<string, AnalyzedStoredProcedure> {
  const { context, findings } = scope;
  const { name: source, stored_procedures } = context.source;
  const objectOf = (procedure: StoredProcedure) =>
    storedProcedureObject(source, procedure, context.print(procedure.stored_procedure));
  const keyOf = ({ stored_procedure }: StoredProcedure) => qualifiedKey(stored_procedure);
  const analyzed = new Map<string, AnalyzedStoredProcedure>();
  for (const procedure of findings.withoutDuplicates(stored_procedures, keyOf, objectOf)) {
    const object = objectOf(procedure);
    const resolved = findings.attempt(
      () => object,
      "",
      () => {
        const found = resolve(scope, procedure);
        const owner = analyzed.get(found.field)?.procedure.stored_procedure;
        if (owner) reject(`the field "${found.field}" is already used by stored procedure "${context.print(owner)}"`);
        return found;
      },
    );
    if (resolved === undefined) continue;
    analyzed.set(resolved.field, resolved);
    addDependencies(scope, object.id, [{ kind: "logical_model", source, name: procedure.returns }]);
  }
  return new Map([...analyzed].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function resolve({ context, models }: StoredProcedureScope, procedure: StoredProcedure): AnalyzedStoredProcedure {
  const { stored_procedure: name, configuration, returns } = procedure;
  const { procedures } = context.dialect;
  if (!procedures) return reject(`stored procedures are not supported on ${context.source.kind} sources`);
  const printed = context.print(name);
  const base = baseName(context.naming, name, configuration.custom_name);
  if (base === null || !isGraphqlName(base.text)) {
    return reject(`cannot include "${printed}" in the GraphQL schema because it is not a valid GraphQL identifier`);
  }
  const model = models.get(returns) ?? rejectUnknownModel(context, returns, models);
  // Every field must be a column of the procedure's result.
  if (model.columns.length < model.fields.length) {
    reject(`the logical model "${returns}" of a stored procedure can have scalar fields only`);
  }
  for (const { name: column, shape } of model.columns) {
    if (procedures.declaredType(shape.type) === undefined) {
      reject(`the type "${shape.type.sql}" of field "${column}" of logical model "${returns}" is unknown`);
    }
  }
  return { procedure, field: base.text, model, arguments: argumentsOf(procedure).map(resolveArgument) };

  function resolveArgument([
    argument,
    { type: written, nullable, description },
  ]: DeclaredArgument): AnalyzedNativeArgument {
    if (!procedures?.isArgumentName(argument)) reject(`"${argument}" cannot be the name of an argument`);
    const type = context.typeNamed(written);
    if (procedures?.declaredType(type) === undefined) {
      reject(`the type "${written}" of argument "${argument}" is unknown`);
    }
    return { name: argument, type, nullable: nullable ?? false, description };
  }
}

type DeclaredArgument = ReturnType<typeof argumentsOf>[number];

function argumentsOf({ arguments: declared = {} }: StoredProcedure) {
  return Object.entries(declared).sort(([a], [b]) => (a < b ? -1 : 1));
}
