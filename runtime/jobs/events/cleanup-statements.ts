/** The SQL of event clean-up for one kind of source. Times are those of the database clock. */

export interface CleanupStatements {
  /**
   * Parameters: trigger, hours, batch size, time of creation from which events are deleted (null: all). Returns the
   * numbers of deleted events and invocations, and the time of the last deleted event.
   */
  readonly deleteEvents: string;
  readonly deleteWithInvocations: string;
  /** Returns the current time, ISO 8601 in UTC. */
  readonly now: string;
  /**
   * Parameters: trigger, JSON list of the next due times in ISO 8601. Deletes scheduled runs at other times and adds 50
   * runs if fewer than 5 are left.
   */
  readonly schedule: string;
  /**
   * Parameter: JSON list of triggers. Returns the trigger and the id of its newest due run, for each trigger with one.
   */
  readonly due: string;
  /** Parameter: run id. Marks older runs of the trigger as `dead`. */
  readonly skipOlder: string;
  /** Parameters: run id, status. Ends a run that is still scheduled. */
  readonly end: string;
  /**
   * Parameter: run id. Returns one row, locked until the transaction ends; none if it is locked or no longer scheduled.
   */
  readonly claim: string;
  /** Parameters: id of a claimed run, numbers of events and invocations to add, status. */
  readonly record: string;
}
