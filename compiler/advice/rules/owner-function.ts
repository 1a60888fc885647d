/** Finds functions and procedures with the rights of their owner that roles call as root fields or as computed fields. */
import type { AnalyzedSource } from "../../2-analyze/analysis.ts";
import { englishList } from "../../2-analyze/rules/english.ts";
import { adminRole } from "../../3-lower/admin-role.ts";
import { functionRootInputs, visibleComputedFields } from "../../3-lower/function-inputs.ts";
import { withInheritance } from "../../3-lower/inherited-roles.ts";
import { accessKey } from "../../access/table-access.ts";
import type { QualifiedName } from "../../catalog/model.ts";
import { printName } from "../../catalog/schema/names.ts";
import { dialectOf } from "../../dialects/index.ts";
import type { OwnerFunction } from "../../shape/review-facts.ts";
import { type AdviceInput, type Finding, pathOf, type Rule } from "../model.ts";
import { placeIn } from "../tables.ts";

export const ownerFunction: Rule = {
  id: "owner-function",
  title: "Function with the rights of its owner",
  about:
    "A role calls a function that runs with the rights of its owner, which row filters and row-level security do not restrict.",
  severity: "warning",
  needs: "facts",
  *find(input) {
    for (const source of input.analysis.sources.values()) {
      const functions = input.facts.get(source.name)?.ownerFunctions ?? [];
      const byId: ById = new Map(functions.map((each) => [each.id, each]));
      if (byId.size === 0) continue;
      yield* functionFindings(source, byId, input);
      yield* computedFindings(source, byId, input);
      yield* procedureFindings(source, functions, input);
    }
  },
};

type ById = ReadonlyMap<number, OwnerFunction>;
type Findings = Iterable<Finding | undefined>;

function* functionFindings(source: AnalyzedSource, byId: ById, input: AdviceInput): Findings {
  for (const { function: tracked, shape, exposedAs, sessionArgument } of source.functions.values()) {
    yield undefined;
    const called = byId.get(shape.id);
    if (called === undefined) continue;
    const callers = rolesThat(input, source, (inheriting, role) =>
      functionRootInputs(inheriting, role, exposedAs, input.analysis).some(({ function: each }) => isSame(each, shape)),
    );
    if (callers.length === 0) continue;
    yield {
      ...findingOf(source, called, callers, { word: "function", hasSession: sessionArgument !== undefined }),
      place: accessKey(source.name, tracked.function),
      path: pathOf(input, { kind: "function", source: source.name, function: tracked.function }),
    };
  }
}

function* computedFindings(source: AnalyzedSource, byId: ById, input: AdviceInput): Findings {
  for (const table of source.tables.values()) {
    yield undefined;
    for (const { name, function: shape, sessionArgument } of table.computedFields.values()) {
      const called = byId.get(shape.id);
      if (called === undefined) continue;
      const callers = rolesThat(input, source, (inheriting, role) => {
        const own = inheriting.tables.get(table.key);
        return (
          own !== undefined &&
          visibleComputedFields(inheriting, own, role).some(({ computed }) => computed.name === name)
        );
      });
      if (callers.length === 0) continue;
      yield {
        ...findingOf(source, called, callers, { word: "function", hasSession: sessionArgument !== undefined }),
        place: placeIn(table, name),
        path: pathOf(input, { kind: "computed_field", source: source.name, table: table.table.table, name }),
      };
    }
  }
}

function* procedureFindings(source: AnalyzedSource, functions: readonly OwnerFunction[], input: AdviceInput): Findings {
  for (const { procedure, field } of source.storedProcedures.values()) {
    yield undefined;
    const called = functions.find((each) => isSame(each, procedure.stored_procedure));
    if (called === undefined) continue;
    const callers = rolesThat(
      input,
      source,
      (inheriting, role) => inheriting.storedProcedures.get(field)?.model.select.has(role) ?? false,
    );
    if (callers.length === 0) continue;
    const index = source.source.stored_procedures.findIndex((each) =>
      isSame(each.stored_procedure, procedure.stored_procedure),
    );
    yield {
      ...findingOf(source, called, callers, { word: "procedure", hasSession: false }),
      place: accessKey(source.name, procedure.stored_procedure),
      path: `${pathOf(input, { kind: "source", source: source.name })}.stored_procedures[${index}]`,
    };
  }
}

/** Returns the roles, except admin, for which a test succeeds on the source with their inherited permissions. */
function rolesThat(
  { analysis }: AdviceInput,
  { name }: AnalyzedSource,
  test: (source: AnalyzedSource, role: string) => boolean,
): readonly string[] {
  return analysis.roles.filter((role) => {
    const source = withInheritance(analysis, role).sources.get(name);
    return role !== adminRole && source !== undefined && test(source, role);
  });
}

const isSame = (one: QualifiedName, other: QualifiedName): boolean =>
  one.schema === other.schema && one.name === other.name;

function findingOf(
  { source: { kind } }: AnalyzedSource,
  { user, ...called }: OwnerFunction,
  callers: readonly string[],
  { word, hasSession }: { readonly word: "function" | "procedure"; readonly hasSession: boolean },
): Omit<Finding, "place" | "path"> {
  const { defaultSchema, functions } = dialectOf(kind);
  const name = printName(called, defaultSchema);
  const roles = `${callers.length === 1 ? "role" : "roles"} ${englishList(callers, "and")}`;
  const session = hasSession ? ", although it receives the session and may check it" : "";
  return {
    rule: ownerFunction.id,
    severity: hasSession ? "note" : "warning",
    reason: `the ${word} ${name} runs with the rights of ${user === undefined ? "its owner" : `user ${user}`}, and ${roles} can call it: row filters and row-level security do not restrict the rows that it reads and writes${session}`,
    fix: `declare it ${functions.callerRights}, or ${word === "function" ? "check the caller in it with a session argument, or " : ""}do not permit it to ${roles}`,
  };
}
