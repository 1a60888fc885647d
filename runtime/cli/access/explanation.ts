/** Formats the result of `explain_access` as text for a terminal. */
import type picocolors from "picocolors";
import type { AccessExplanation, EvaluatedPart } from "../../control/explanation.ts";
import { printable } from "../project/output.ts";

type Colors = ReturnType<typeof picocolors.createColors>;

/** Returns the verdict, the checks, and the row filter and the check of the permission, with one line for each part. */
export function explanationText(explanation: AccessExplanation, colors: Colors): string {
  const { verdict, reason, steps, rows, check } = explanation;
  const color = { allowed: colors.green, denied: colors.red, depends: colors.yellow }[verdict];
  return [
    `${color(verdict)}: ${printable(reason)}`,
    "",
    ...steps.flatMap((step) => [
      `  ${step.result.padEnd(7)}  ${printable(step.reason)}`,
      ...(step.hint === undefined ? [] : [`           ${printable(step.hint)}`]),
    ]),
    ...filterLines("row filter", rows),
    ...filterLines("check", check),
    "",
  ].join("\n");
}

function filterLines(title: string, filter: EvaluatedPart | undefined): readonly string[] {
  return filter === undefined ? [] : ["", `  ${title}`, ...partLines(filter, 0)];
}

function partLines(part: EvaluatedPart, depth: number): readonly string[] {
  const { expression, role, permission, result, parts = [] } = part;
  const truth = result === undefined ? "" : result === null ? "unknown" : String(result);
  const [name = "{}"] = Object.keys(expression as object);
  // The parts of a group follow on their own lines.
  const text = parts.length === 0 || permission !== undefined ? JSON.stringify(expression) : name;
  const reference = permission === undefined ? "" : `, by the select permission on ${permission}`;
  const owner = role === undefined ? "" : `role ${role}: `;
  return [
    `  ${truth.padEnd(7)}  ${"  ".repeat(depth)}${printable(`${owner}${text}${reference}`)}`,
    ...parts.flatMap((inner) => partLines(inner, depth + 1)),
  ];
}
