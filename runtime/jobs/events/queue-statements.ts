/** The SQL of the event queue for one kind of database. Parameters are texts. */

export interface QueueStatements {
  /** $1: instance. */
  readonly enter: string;
  /** $1: instance. Returns one row, or none if the instance was removed. */
  readonly renew: string;
  /** $1: instances, as list(). Releases their events; runs after `leave` or `expel`. */
  readonly free: string;
  /** $1: instances, as list(). */
  readonly leave: string;
  /** $1: instance, $2: seconds. Returns one row for each other instance that was removed. */
  readonly expel: string;
  /** $1: instance. Returns one row, or none while one of its claims may still be running. Runs before `release`. */
  readonly settle: string;
  /** $1: instance, $2: ids, as list(). Releases all events of the instance except these. */
  readonly release: string;
  /** Releases events that have been locked for half an hour. */
  readonly freeStale: string;
  /**
   * $1: instance, $2: triggers, $3: counts, both as list(), $4: total limit. Returns `eventColumns`, and a row without
   * an id if there are packed events.
   */
  readonly take: string;
  /** `take` has $5: times of creation from which untried events of the triggers are read, as list(). */
  readonly takesFrom?: true;
  /** Unpacks some packs. Returns the number of packs. Absent if the database has none. */
  readonly unpack?: string;
  /** The same as `take` for ordered triggers. Absent if the database does not support ordered events. */
  readonly takeOrdered?: string;
  /** $1: results, as JSON. */
  readonly finish: string;
  /** $1: instance, $2: triggers, as list(). Returns the seconds until the next event is due, or null. */
  readonly wait: string;
  /** $1: instance. */
  readonly stopWaiting: string;
  /** $1: triggers, as list(). Clears the order of their events. Absent if events are never ordered. */
  readonly clearOrder?: string;
  /**
   * $1: triggers, as list(), $2: maximum count. Returns name, number of pending events, age of the oldest in seconds.
   */
  readonly backlog: string;
  /** Channel that announces new events; absent without notifications. */
  readonly channel?: string;
  list(values: readonly string[]): string;
}
