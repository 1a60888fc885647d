/** Client of the permission tests of a project. */
import { callProject } from "./project-api.ts";

export interface CaseName {
  readonly file: string;
  readonly name: string;
}

export interface ListedCase extends CaseName {
  /** `line:column` in the file. */
  readonly at: string;
  /** Name of the session in the file. */
  readonly session: string | null;
  readonly role: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly query: string;
  /** YAML. */
  readonly expected: string | null;
  /** Names are qualified unless the table is in the default schema; `null` if the metadata of the project is invalid. */
  readonly tables: readonly { readonly source: string; readonly name: string }[] | null;
}

export interface TestList {
  readonly folder: string;
  readonly cases: readonly ListedCase[];
  readonly problems: readonly string[];
}

export interface CaseResult extends CaseName {
  /** `unwritten`: the case has no expected result. `broken`: its set-up failed. */
  readonly outcome: "passed" | "different" | "unwritten" | "broken";
  readonly milliseconds: number;
  readonly failure?: {
    readonly reason: string;
    /** YAML. */
    readonly expected?: string;
    readonly received?: string;
    readonly remarks: readonly string[];
  };
}

interface TestRun {
  readonly results: readonly CaseResult[];
  readonly skipped: number;
  readonly problems: readonly string[];
}

/** @throws ApiError */
export const listTests = (): Promise<TestList> => callProject("tests");

/** @throws ApiError */
export const runTests = (cases: readonly CaseName[]): Promise<TestRun> =>
  callProject("test-runs", { cases: cases.map(({ file, name }) => ({ file, name })) });
