/** Reports of permission tests: for people, as TAP, and as JUnit XML. */

import { relative } from "node:path";
import type { Json } from "../../../compiler/catalog/model.ts";
import { yamlText } from "../../metadata-text/yaml-text.ts";
import { seconds, xml, xmlText } from "../junit.ts";
import { unifiedHunks } from "../metadata/unified-diff.ts";
import { type Problem, problemAt } from "../problem.ts";
import type { TestReporter } from "../project/choices.ts";
import type { outputColors } from "../project/output.ts";
import type { Outcome, TestResult } from "./run-tests.ts";
import type { TestCase } from "./test-file.ts";

type Colors = ReturnType<typeof outputColors>;

export interface Report {
  readonly results: readonly TestResult[];
  readonly milliseconds: number;
}

/** Returns the text of a report. */
export function reportText(report: Report, reporter: TestReporter, colors: Colors): string {
  return reports[reporter](report, colors);
}

const reports: Readonly<Record<TestReporter, (report: Report, colors: Colors) => string>> = {
  text: textReport,
  tap: tapReport,
  junit: junitReport,
};

const isPassed = ({ outcome }: TestResult): boolean => outcome.kind === "passed";

/** Returns the path or place as a person enters it. */
export function shownPlace(at: string): string {
  const path = relative(process.cwd(), at);
  return path.startsWith("..") ? at : path;
}

// ---------------------------------------------------------------- for people

function textReport({ results }: Report, colors: Colors): string {
  const failed = results.filter((result) => !isPassed(result));
  const blocks = failed.map((result) => failureText(result, colors));
  const passed = results.length - failed.length;
  const counts = [
    colors.green(`${passed} passed`),
    ...(failed.length > 0 ? [colors.red(`${failed.length} failed`)] : []),
  ];
  return `${blocks.join("")}${counts.join(", ")}\n`;
}

function failureText({ test, outcome }: TestResult, colors: Colors): string {
  const lines = detailLines(test, outcome).map((line) => {
    const color = line.startsWith("-") ? colors.red : line.startsWith("+") ? colors.green : (text: string) => text;
    return `    ${color(escaped(line))}`.trimEnd();
  });
  return `${colors.red("failed")} ${escaped(test.name)}\n    at ${shownPlace(test.at)}, ${sessionText(test)}\n${lines.join("\n")}\n\n`;
}

function sessionText({ sessionName, session: { role, variables } }: TestCase): string {
  const values = Object.entries(variables).map(([name, value]) => `${name}: ${value}`);
  const details = [`role ${role}`, ...values].join(", ");
  return escaped(sessionName === undefined ? `session with ${details}` : `session ${sessionName} (${details})`);
}

/** A failure in words: its reason, and what differs, as YAML. */
export interface FailureTexts {
  readonly reason: string;
  /** Absent if there is no expected result. */
  readonly expected?: string;
  /** Absent if the case did not run. */
  readonly received?: string;
  readonly remarks: readonly string[];
}

/** Returns the texts of a failed case, with the members of errors that are compared; `undefined` if it passed. */
export function failureTexts({ expected }: Pick<TestCase, "expected">, outcome: Outcome): FailureTexts | undefined {
  switch (outcome.kind) {
    case "passed":
      return undefined;
    case "broken":
      return { reason: outcome.reason, remarks: [] };
    case "unwritten":
      return {
        reason: "no expected result: add data or error, or write this one with --update",
        received: yamlText(outcome.received as Json),
        remarks: hostLines(outcome),
      };
    case "different": {
      const { data, error } = outcome.received;
      const shownError =
        error && expected?.error
          ? pickedAs(expected.error, error)
          : error && { code: error.code, message: error.message };
      const received = { ...(data !== undefined && { data }), ...(shownError && { error: shownError }) };
      return {
        reason: "the response differs",
        expected: yamlText((expected ?? {}) as Json),
        received: yamlText(received as Json),
        remarks: hostLines(outcome),
      };
    }
  }
}

/** Returns the reason of a failure, and the differences as lines of a diff. */
function detailLines(test: TestCase, outcome: Outcome): readonly string[] {
  const texts = failureTexts(test, outcome);
  if (texts === undefined) return [];
  const { reason, expected, received, remarks } = texts;
  if (received === undefined) return [reason];
  if (expected === undefined) {
    return [
      reason,
      ...received
        .trimEnd()
        .split("\n")
        .map((line) => `+${line}`),
      ...remarks,
    ];
  }
  const hunks = unifiedHunks(expected, received).filter((line) => !line.startsWith("\\"));
  return ["- expected, + received:", ...hunks, ...remarks];
}

/** Returns the members that are compared, and the message, which explains the code. */
function pickedAs<T extends object>(expected: object, received: T): Partial<T> {
  const entries = Object.entries(received).filter(([key]) => key === "message" || Object.hasOwn(expected, key));
  return Object.fromEntries(entries) as Partial<T>;
}

function hostLines({ refusedHosts }: { readonly refusedHosts: readonly string[] }): readonly string[] {
  if (refusedHosts.length === 0) return [];
  return [
    `no call to ${refusedHosts.join(", ")}: permission tests call no action handlers, webhooks and remote schemas`,
  ];
}

/** Escapes control characters, since rows may contain any text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches the characters to escape
const controls = /[\u0000-\u001f\u007f-\u009f]/g;
const escaped = (text: string): string => text.replace(controls, (character) => JSON.stringify(character).slice(1, -1));

// ---------------------------------------------------------------- JSON

/** Returns the result of `engine test --json`. */
export function reportJson({ results, milliseconds }: Report) {
  return {
    passed: results.filter(isPassed).length,
    failed: results.filter((result) => !isPassed(result)).length,
    milliseconds: Math.round(milliseconds),
    cases: results.map(({ test, outcome }) => ({
      name: test.name,
      at: shownPlace(test.at),
      role: test.session.role,
      session: test.session.variables,
      outcome: outcome.kind,
      ...(outcome.kind === "broken" && { reason: outcome.reason }),
      ...("received" in outcome && { expected: test.expected ?? null, received: outcome.received }),
    })),
  };
}

/** Returns the problem of a case that did not pass. */
export function failureProblem({ test, outcome }: TestResult): readonly Problem[] {
  if (outcome.kind === "passed") return [];
  const message = `${test.name}: ${failureReasons[outcome.kind](outcome)}`;
  return [problemAt(shownPlace(test.at), { severity: "error", code: "test-failed", message })];
}

const failureReasons: Readonly<Record<Exclude<Outcome["kind"], "passed">, (outcome: Outcome) => string>> = {
  broken: (outcome) => ("reason" in outcome ? outcome.reason : ""),
  different: () => "the received result differs from the expected one",
  unwritten: () => "the case has no expected result",
};

// ---------------------------------------------------------------- TAP (https://testanything.org/tap-version-14-specification.html)

function tapReport({ results }: Report): string {
  const points = results.map((result, index) => {
    const { test, milliseconds } = result;
    const description = escaped(test.name).replace(/[\\#]/g, "\\$&");
    const line = `${isPassed(result) ? "ok" : "not ok"} ${index + 1} - ${description}\n`;
    if (isPassed(result)) return line;
    const diagnostics = yamlText({
      at: shownPlace(test.at),
      session: sessionText(test),
      details: detailLines(test, result.outcome).map(escaped).join("\n"),
      duration_ms: Math.round(milliseconds),
    });
    return `${line}  ---\n${diagnostics.replace(/^(?=.)/gm, "  ")}  ...\n`;
  });
  return `TAP version 14\n1..${results.length}\n${points.join("")}`;
}

// ---------------------------------------------------------------- JUnit XML

function junitReport({ results, milliseconds }: Report): string {
  const suites = [...new Set(results.map(({ file }) => file))].map((file) => {
    const path = shownPlace(file.path);
    const own = results.filter((result) => result.file === file);
    const cases = own.map((result) => junitCase(path, result));
    const time = own.reduce((sum, each) => sum + each.milliseconds, 0);
    return `  <testsuite name=${xml(path)} ${junitCounts(own)} time="${seconds(time)}">\n${cases.join("")}  </testsuite>\n`;
  });
  const head = `<testsuites name="engine test" ${junitCounts(results)} time="${seconds(milliseconds)}">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join("")}</testsuites>\n`;
}

function junitCounts(results: readonly TestResult[]): string {
  const errors = results.filter(({ outcome }) => outcome.kind === "broken").length;
  const failures = results.filter((result) => !isPassed(result)).length - errors;
  return `tests="${results.length}" failures="${failures}" errors="${errors}"`;
}

function junitCase(path: string, { test, milliseconds, outcome }: TestResult): string {
  const [file = path, line = "1"] = shownPlace(test.at).split(/:(?=\d+:\d+$)/);
  const head = `    <testcase name=${xml(test.name)} classname=${xml(path)} file=${xml(file)} line="${line.split(":")[0]}" time="${seconds(milliseconds)}"`;
  if (outcome.kind === "passed") return `${head}/>\n`;
  const element = outcome.kind === "broken" ? "error" : "failure";
  const [message = "", ...lines] = detailLines(test, outcome);
  const text = xmlText([sessionText(test), ...lines].join("\n"));
  return `${head}>\n      <${element} message=${xml(message)}>${text}</${element}>\n    </testcase>\n`;
}
