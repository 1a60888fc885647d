/** Recognizes SQL that may change a schema, so that the console of a project saves it as a migration. */

/** Beginning of a statement, once strings and bodies are removed. */
const schemaStatement =
  /^(?:(?:create|alter|drop|grant|revoke|exec|execute|comment\s+on)\b|do\s*(?:language\s+\w+\s*)?$)/i;

/** Strings, quoted names, function bodies and comments. */
const quotedParts = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Returns true if a statement of the SQL may change more than rows. SQL Server needs no semicolons between statements. */
export const mayChangeSchema = (sql: string): boolean =>
  sql
    .replace(quotedParts, " ")
    .split(/[;\n]/)
    .some((statement) => schemaStatement.test(statement.trim()));
