/** When servers of remote schemas that did not answer are asked again: ever later, up to two minutes. */
import type { ControlPlane } from "./control-plane.ts";

const longestMilliseconds = 120_000;

interface Lost {
  readonly waitMilliseconds: number;
  readonly dueAt: number;
}

export class RemoteHealing {
  readonly #firstMilliseconds: number;
  readonly #now: () => number;
  /** By name. */
  readonly #lost = new Map<string, Lost>();

  constructor(firstMilliseconds: number, now: () => number = () => performance.now()) {
    this.#firstMilliseconds = firstMilliseconds;
    this.#now = now;
  }

  /** Asks those that are due. */
  async run(control: Pick<ControlPlane, "retryRemoteSchemas">): Promise<void> {
    const silent = await control.retryRemoteSchemas((name) => (this.#lost.get(name)?.dueAt ?? 0) <= this.#now());
    const before = new Map(this.#lost);
    for (const [name, { dueAt }] of before) if (dueAt <= this.#now()) this.#lost.delete(name);
    for (const name of silent) {
      const wait = (before.get(name)?.waitMilliseconds ?? this.#firstMilliseconds / 2) * 2;
      const waitMilliseconds = Math.min(wait, Math.max(longestMilliseconds, this.#firstMilliseconds));
      this.#lost.set(name, { waitMilliseconds, dueAt: this.#now() + waitMilliseconds });
    }
  }
}
