/**
 * Whoever waits for the answer to a read; an `AbortSignal` is one. It is looked at a few times a second, so that a read
 * which is answered soon pays nothing for it: reads of one that is aborted are not begun, and those that run are
 * cancelled in the database.
 */
export type Caller = Pick<AbortSignal, "aborted">;
