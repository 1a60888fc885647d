/** A sleep that can be ended early. A wake-up before the sleep ends it immediately. */

export class Sleep {
  #wake: (() => void) | undefined;
  #isWoken = false;

  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async sleep(milliseconds: number): Promise<void> {
    if (!this.#isWoken) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#isWoken = false;
  }
}

/** Waits for `milliseconds`. Cannot be ended early. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** Resolves when `work` settles or after `milliseconds`. Rejects if `work` rejects in time. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, end]).finally(() => clearTimeout(timer));
}
