/** What each kind of database has to say for the queue of a source's events; parameters are texts. */

export interface QueueStatements {
  /** $1 instance. */
  readonly enter: string;
  /** $1 instance → one row, or none when it was removed. */
  readonly renew: string;
  /** $1 instances, as list(). Frees what they hold; then `leave`. */
  readonly free: string;
  /** $1 instances, as list(). */
  readonly leave: string;
  /** $1 instance, $2 seconds → one row for each other instance that was removed. */
  readonly expel: string;
  /** $1 instance → one row, or none while a look of its own may take something; then `release`. */
  readonly settle: string;
  /** $1 instance, $2 ids, as list(). Frees what it holds but for these. */
  readonly release: string;
  /** Frees what has been locked for half an hour. */
  readonly freeForgotten: string;
  /**
   * $1 instance, $2 triggers, $3 how many of each, as list(), $4 most of all → `eventColumns`; and a row without an id
   * where events have to be unpacked.
   */
  readonly take: string;
  /** Makes events of some of those that were written together → of how many packs. Absent: none are. */
  readonly unpack?: string;
  /** The same for ordered triggers; absent: events of the kind have no order. */
  readonly takeOrdered?: string;
  /** $1 results, as JSON. */
  readonly finish: string;
  /** $1 instance, $2 triggers, as list() → seconds until the next is due, or null. */
  readonly wait: string;
  /** $1 instance. */
  readonly stopWaiting: string;
  /** $1 triggers, as list(): their events have no order any more. Absent: they never had. */
  readonly forgetOrder?: string;
  /** $1 triggers, as list(), $2 most that are counted → name, how many wait, seconds since the oldest was made. */
  readonly backlog: string;
  /** Where new events are told of; absent: nowhere. */
  readonly channel?: string;
  list(values: readonly string[]): string;
}
