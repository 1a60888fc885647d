/** Exceptions from advice: `advice.yaml` beside the metadata lists findings that are accepted, each with a reason. */
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { rules } from "../../../compiler/advice/advice.ts";
import type { Advice, Finding } from "../../../compiler/advice/model.ts";
import type { Location } from "../../metadata-text/locations.ts";
import { didYouMean } from "../../values/nearest-name.ts";
import { adviceFileName } from "../metadata-directory/layout.ts";
import { keysOf, readLocatedFile } from "../metadata-directory/located-file.ts";

/** An accepted finding. */
export interface Exception {
  readonly rule: string;
  readonly place: string;
  readonly reason: string;
  readonly location: Location | undefined;
}

const expected = (description: string) => ({ error: `expected ${description}` });
const text = (description: string) => z.string(expected(description)).trim().min(1, expected(description));
const ruleIds = rules.map(({ id }) => id);

const exception = z.strictObject(
  {
    rule: text("the rule of a finding").refine((rule) => ruleIds.includes(rule), {
      error: ({ input }) =>
        `there is no rule ${JSON.stringify(input)}; ${didYouMean(String(input), ruleIds) ?? `rules: ${ruleIds.join(", ")}`}`,
    }),
    place: text("the place of a finding"),
    reason: text("the reason why the finding is accepted"),
  },
  expected("an exception with `rule`, `place` and `reason`"),
);

const schema = z.strictObject(
  { exceptions: z.array(exception, expected("a list of exceptions")) },
  expected("an object with a list `exceptions`"),
);

/**
 * Reads the exceptions beside metadata; none without a file.
 * @param metadata a metadata directory, or one JSON or YAML file
 * @throws EngineError with file, line and column for invalid syntax and invalid values
 */
export async function readExceptions(metadata: string): Promise<readonly Exception[]> {
  const found = await stat(metadata).catch(() => undefined);
  const folder = found?.isFile() ? dirname(metadata) : metadata;
  const file = await readLocatedFile(join(folder, adviceFileName), "the folder of the exceptions");
  if (file === undefined) return [];
  const result = schema.safeParse(file.value ?? { exceptions: [] });
  if (!result.success) {
    const [issue] = result.error.issues;
    return file.fail(issue?.message ?? "", ...keysOf(issue?.path ?? []));
  }
  return result.data.exceptions.map((each, index) => ({ ...each, location: file.locate("exceptions", index) }));
}

interface Accepted {
  readonly finding: Finding;
  readonly exception: Exception;
}

export interface Sorted {
  /** Findings without an exception. */
  readonly open: readonly Finding[];
  readonly accepted: readonly Accepted[];
  /** Exceptions without a finding, unless their rule could not be applied. */
  readonly stale: readonly Exception[];
}

const keyOf = ({ rule, place }: Pick<Finding, "rule" | "place">): string => JSON.stringify([rule, place]);

export function withExceptions({ findings, skipped }: Advice, exceptions: readonly Exception[]): Sorted {
  const byKey = new Map(exceptions.map((each) => [keyOf(each), each]));
  const found = new Set(findings.map(keyOf));
  const unknown = new Set(skipped.map(({ rule }) => rule));
  return {
    open: findings.filter((finding) => !byKey.has(keyOf(finding))),
    accepted: findings.flatMap((finding) => {
      const accepting = byKey.get(keyOf(finding));
      return accepting ? [{ finding, exception: accepting }] : [];
    }),
    stale: exceptions.filter((each) => !found.has(keyOf(each)) && !unknown.has(each.rule)),
  };
}
