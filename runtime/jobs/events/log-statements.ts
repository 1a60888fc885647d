/** SQL on the events and invocation logs of a source, by its kind. Parameters are numbered, values travel as text. */

/** In what state events are to be delivered again. */
export type FinishedStates = "error" | "delivered" | "both";

/** The events of one trigger that are asked for. */
export type EventSelection = "all" | "pending" | "processed";

export interface EventLogStatements {
  /** One row where the source has the product's tables. */
  readonly installed: string;
  /** Schema, table, trigger, payload → the id of the event. */
  readonly insertEvent: string;
  /**
   * Id → one row, locked: `1` where it is being delivered, and the name of its trigger; no row: there is no such event, or
   * it is archived.
   */
  readonly lockEvent: string;
  /**
   * Nobody takes ordered events until the transaction ends, and after it whoever does sees what it has changed. Before
   * events of ordered triggers are reset.
   */
  readonly stopOrder?: string;
  /**
   * Id of a locked row, whether its trigger orders its events (`true` or `false`): to be delivered as if it were new. It
   * keeps its place, and waits for what is under way of its key.
   */
  readonly resetEvent: string;
  /**
   * Trigger, first and end of the time in which the events were made (null: unbounded), time and id of the last event of
   * the batch before (null: none), size of the batch, whether the trigger orders its events → how many are as new,
   * time and id of the last of the batch, how many the batch had (absent: as many).
   */
  readonly resetEvents: Readonly<Record<FinishedStates, string>>;
  /** Tells those who wait for events that there are some. */
  readonly wake?: string;
  /** One row where events that were written together have to be unpacked before they can be seen. Absent: never. */
  readonly packed?: string;
  /** Makes events of some of them → of how many packs. */
  readonly unpack?: string;
  /** Trigger, limit, offset → events as JSON, the newest first. */
  readonly events: Readonly<Record<EventSelection, string>>;
  /** Id → the event as JSON. */
  readonly event: string;
  /** Trigger, limit, offset → invocations as JSON, the newest first. */
  readonly invocationsOfTrigger: string;
  /** Id of the event, limit, offset → invocations as JSON, the newest first. */
  readonly invocationsOfEvent: string;
}
