/**
 * The client that waits for a read, for example an `AbortSignal`. If it is aborted, further reads do not start and
 * running ones are cancelled in the database. It is polled a few times a second, so that short reads have no overhead.
 */
export type Caller = Pick<AbortSignal, "aborted">;
