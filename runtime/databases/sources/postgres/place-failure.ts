/** Which of several statements failed, where the server does not say: the one after those that have ended well. */
import { DatabaseError } from "pg";
import { placedStatements } from "./split-statements.ts";

/**
 * Gives the error the position of the statement, as if the server had said it.
 * @param completed statements of the text that have ended well
 */
export function placeFailure(error: Error, text: string, completed: number): void {
  if (!(error instanceof DatabaseError) || error.position !== undefined) return;
  const statements = placedStatements(text);
  const failed = statements[completed];
  if (statements.length < 2 || failed === undefined) return;
  // The server counts characters from 1, a string has two units for some.
  error.position = String([...text.slice(0, failed.start)].length + 1);
}
