/** What a line of the embedded PostgreSQL's own log means to whoever runs the engine. */

/** Those that end a connection when the server stops, which is nothing to worry about. */
const farewell = /FATAL: {2}(terminating connection due to administrator command|the database system is shutting down)/;

/**
 * Errors of statements are told to who sent them; everything else that goes well is for those who look for something.
 * @param line `2026-01-31 12:00:00.000 UTC [7] LOG:  …`
 */
export function levelOfServerLine(line: string): "debug" | "warn" {
  return /\b(?:WARNING|FATAL|PANIC): /.test(line) && !farewell.test(line) ? "warn" : "debug";
}
