/** SQL on the events and invocation logs of one kind of source. Parameters are positional and passed as text. */

/** The states of events to redeliver. */
export type FinishedStates = "error" | "delivered" | "both";

/** The events of a trigger to read. */
export type EventSelection = "all" | "pending" | "processed" | "delivered" | "error";

export interface EventLogStatements {
  /** Returns one row if the source has the product's tables. */
  readonly installed: string;
  /** Parameters: schema, table, trigger, payload. Returns the id of the event. */
  readonly insertEvent: string;
  /**
   * Parameter: event id. Locks the event and returns `1` if it is being delivered, and its trigger; no row if the event
   * does not exist or is archived.
   */
  readonly lockEvent: string;
  /**
   * Prevents claims of ordered events until the transaction ends; later claims see its changes. Required before ordered
   * events are reset.
   */
  readonly stopOrder?: string;
  /**
   * Parameters: id of a locked event, `true` if its trigger is ordered, else `false`. Resets the event to undelivered.
   * The event keeps its position and waits for the event in flight with the same key.
   */
  readonly resetEvent: string;
  /**
   * Parameters: trigger, start and end of the creation time (null: unbounded), time and id of the last event of the
   * previous batch (null: none), batch size, `true` if the trigger is ordered. Returns the number of reset events, time
   * and id of the last event of the batch, and the size of the batch (absent: equal to the first number).
   */
  readonly resetEvents: Readonly<Record<FinishedStates, string>>;
  /** Notifies waiting instances of events. */
  readonly wake?: string;
  /**
   * Returns one row if there are packed events, which must be unpacked to be visible. Absent if the database has
   * none.
   */
  readonly packed?: string;
  /** Unpacks some packs. Returns the number of packs. */
  readonly unpack?: string;
  /**
   * Parameters: trigger, limit, offset, start and end of the creation time (null: unbounded). Returns events as JSON,
   * newest first.
   */
  readonly events: Readonly<Record<EventSelection, string>>;
  /**
   * Parameters: triggers as JSON list, start and end of the creation time (null: unbounded), maximum count. Returns each
   * trigger with the number of its failed events.
   */
  readonly failedCounts: string;
  /** Parameter: event id. Returns the event as JSON. */
  readonly event: string;
  /** Parameters: trigger, limit, offset. Returns invocations as JSON, newest first. */
  readonly invocationsOfTrigger: string;
  /** Parameters: event id, limit, offset. Returns invocations as JSON, newest first. */
  readonly invocationsOfEvent: string;
}
