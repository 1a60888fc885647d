/** Codes of problems that only commands report, with their meanings and remedies for `--json` and the reference. */

interface ProblemCodeRow {
  readonly meaning: string;
  readonly remedy: string;
}

const row = (meaning: string, remedy: string): ProblemCodeRow => ({ meaning, remedy });

export const problemCodes = {
  "broken-operation": row(
    "a deployment would break a saved operation for a role",
    "change the operation, or keep the fields and arguments that it selects",
  ),
  "check-failed": row(
    "a case of `engine database check` failed on this database",
    "report it with the result file, which `result` also contains",
  ),
  "ignored-text": row(
    "a file contains text that has no effect, such as an unknown key",
    "correct the name, or remove the text",
  ),
  "inconsistent-object": row(
    "an object of the metadata does not fit its database, its remote schema, or another object",
    "correct the object, or the table, column or object that `message` names; `caused_by` names the object to correct first",
  ),
  "invalid-document": row(
    "a GraphQL document of a front end does not fit the schema of its role",
    "correct the document; the schema of the role has the valid names",
  ),
  "invalid-setting": row(
    "a flag, an environment variable or a member of `engine.config.ts` is invalid",
    "set a value as `message` describes it",
  ),
  "left-out": row("the output lacks an object", "follow `message`"),
  "literal-secret": row(
    "the metadata or `engine.config.ts` contains a secret",
    "move it to an environment variable, and name the variable with `from_env`, `value_from_env` or `{{NAME}}`",
  ),
  "missing-variable": row(
    "the server or the artifact requires environment variables that are not set here",
    "set them where the server or the artifact runs",
  ),
  "modified-file": row(
    "a file differs from the manifest of its artifact",
    "build the artifact again with `engine build`",
  ),
  "no-effect": row("a setting of the metadata has no effect", "remove it, or follow `message`"),
  "not-checked": row("an object was not checked", "follow `message`"),
  "test-failed": row(
    "a permission test has another result than the expected one",
    "correct the permission or the test; `result.cases` has the expected and the received result",
  ),
  "test-invalid": row("the files of permission tests have an error, or no cases", "correct the file"),
  "unexpected-row": row("the setup of a permission test names an unknown table or column", "correct the name"),
  "unknown-shape": row(
    "the tables of a database are unknown",
    "write migrations, pass `--shape`, or save the shape with `engine shape`",
  ),
  "unknown-remote-schema": row(
    "the fields of a remote schema are unknown, and left out",
    "save its introspection with `engine remote-schemas`",
  ),
  "unmatched-folder": row(
    "migrations or seeds belong to a database that the metadata does not have",
    "rename the folder to a database of the metadata, or add the database",
  ),
  usage: row("the command line is invalid", "see the help of the command: `--help`"),
  bug: row("the engine failed", "report the bug with `message`"),
  note: row("a remark about the result", "follow `message`, if it names a step"),
} as const satisfies Readonly<Record<string, ProblemCodeRow>>;

export type ProblemCode = keyof typeof problemCodes;
