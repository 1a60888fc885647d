/** Where in the keys of ordered triggers the next look begins: looks go round, so that every key has its turn. */

interface Round {
  readonly after: string;
  /** In this round. */
  readonly taken: number;
}

const start: Round = { after: "", taken: 0 };

export class OrderedKeys {
  readonly #rounds = new Map<string, Round>();

  /** Keys behind this one are next; empty: from the first. */
  after(lane: string): string {
    return (this.#rounds.get(lane) ?? start).after;
  }

  /**
   * Notes a look.
   * @param next where it ended; empty: at the last key
   * @returns whether another look may find something: a whole round that found nothing says that there is nothing
   */
  looked(lane: string, next: string, taken: number): boolean {
    const round = this.#rounds.get(lane) ?? start;
    const sum = round.taken + taken;
    this.#rounds.set(lane, next === "" ? start : { after: next, taken: sum });
    return next !== "" || sum > 0;
  }
}
