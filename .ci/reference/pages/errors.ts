/** `docs/reference/errors.md`: all codes of errors and warnings, from their tables. */
import { type ErrorCodeRow, errorCodes, warningCodes } from "../../../runtime/values/error-codes.ts";
import type { ReferencePage } from "../page.ts";
import { block, code, inline, page, sentence, table, wrapped } from "../texts.ts";

const intro = `
Here you look up the code of an error: its cause, its remedy, and the HTTP status of the response.
`;

const forms = `
GraphQL endpoints respond with status 200 and \`errors\`. \`extensions.code\` is the code, \`extensions.path\` the place in
the operation as JSONPath:
`;

const graphqlError = `{
  "errors": [
    {
      "message": "field 'titel' not found in type: 'book'",
      "extensions": { "path": "$.selectionSet.book.selectionSet.titel", "code": "validation-failed" }
    }
  ]
}`;

const otherForms = `
All other endpoints, such as \`/v1/metadata\` and REST endpoints, respond with the status in the list below:
`;

const restError = `{ "error": "view/table already untracked: \\"notes\\"", "path": "$.args", "code": "already-untracked" }`;

const notes = `
- Programs compare \`code\`. It is part of the interface ([versions](versions.md)); the text of \`message\` and \`error\` may
  improve.
- \`internal\` has details, such as the error of the database. Administrators receive it, and with \`--dev-mode\` every role.
- With \`Accept: application/graphql-response+json\`, GraphQL endpoints respond with the
  [status of the error](http.md#graphql-over-http), at least 400. The statuses 408, 413, 503, and 401 with
  \`--preserve-401-errors\`, apply to every endpoint.
- The handler of an action and \`refuse\` of \`engine.config.ts\` may choose further codes. A remote schema's errors are
  forwarded with their own \`extensions\`.
- Commands print \`error: \` and the message without the code; for a file, \`file:line:column: code: message\`. They
  [exit](command-line.md#exit-codes) with 1.
`;

function sectionOf(name: string, { statuses, cause, remedy }: ErrorCodeRow): string {
  const status = statuses.length === 0 ? "commands only" : statuses.join(", ");
  const rows = [`status: ${status}`, `cause: ${sentence(cause)}`, `remedy: ${sentence(remedy)}`];
  return [`### ${code(name)}`, rows.map((row) => wrapped(`- ${row}`, "  ")).join("\n")].join("\n\n");
}

export const errorsPage: ReferencePage = {
  path: "docs/reference/errors.md",
  render: () => {
    const sections = Object.entries(errorCodes).map(([name, row]) => sectionOf(name, row));
    const warnings = Object.entries(warningCodes).map(([name, cause]) => [code(name), inline(cause)]);
    return Promise.resolve(
      page(
        "# Errors",
        intro,
        "## Form",
        forms,
        block("json", graphqlError),
        otherForms,
        block("json", restError),
        notes,
        "## Codes",
        ...sections,
        "## Warnings",
        "Metadata operations that succeed may list `warnings`, each with one of these codes:",
        table(["code", "cause"], warnings),
      ),
    );
  },
};
