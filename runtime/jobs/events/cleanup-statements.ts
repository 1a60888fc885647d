/** SQL of the clean-up of events, by the kind of a source. Times are those of the database. */

export interface CleanupStatements {
  /** Trigger, hours, size of the batch → how many events and invocations were deleted. */
  readonly deleteEvents: string;
  readonly deleteWithInvocations: string;
  /** → the time, ISO 8601 in UTC. */
  readonly now: string;
  /**
   * Trigger, JSON list of the times at which its clean-up is due next, ISO 8601. Drops the scheduled runs that are not
   * among them, and adds 50 where fewer than 5 are left.
   */
  readonly schedule: string;
  /** JSON list of triggers → of each that is due: trigger, and id of its newest run that is. */
  readonly due: string;
  /** Id → the older runs of its trigger are `dead`. */
  readonly skipOlder: string;
  /** Id, status: of a run that is still to be made. */
  readonly end: string;
  /** Id → one row, locked until the transaction ends; none where it is locked or not to be made any more. */
  readonly claim: string;
  /** Id of a claimed run, events and invocations that were deleted more, status. */
  readonly record: string;
}
