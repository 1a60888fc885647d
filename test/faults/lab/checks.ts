/** Collects failed checks. */
export class Checks {
  readonly broken: string[] = [];

  that(holds: boolean, otherwise: string): void {
    if (!holds) this.broken.push(otherwise);
  }
}
