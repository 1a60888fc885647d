import type { Problem } from "./problem.ts";

/** Invalid content of files: one problem for each error, whose line has no prefix, so that editors can open its place. */
export class InvalidFiles extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super(problems.map(({ line }) => line).join("\n"));
    this.name = "InvalidFiles";
    this.problems = problems;
  }
}
