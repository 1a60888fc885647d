/**
 * Locates the failed statement in a text with several statements if the server reports no position: it is the statement
 * that follows the completed ones.
 */
import { DatabaseError } from "pg";
import { placedStatements } from "./split-statements.ts";

/**
 * Adds the position of the statement to the error, in the server's format.
 * @param completed number of statements that completed
 */
export function locateFailure(error: Error, text: string, completed: number): void {
  if (!(error instanceof DatabaseError) || error.position !== undefined) return;
  const statements = placedStatements(text);
  const failed = statements[completed];
  if (statements.length < 2 || failed === undefined) return;
  // The server counts characters from 1; in a string, some characters have two code units.
  error.position = String([...text.slice(0, failed.start)].length + 1);
}
