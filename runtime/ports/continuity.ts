/**
 * Whether the process has been running all the time. While it stood still (stopped by a signal, a paused container, a
 * suspended machine), others may have changed what it goes by, and the word of it may lie unread. Who acts on such
 * knowledge asks here first, and again before the answer leaves.
 */
export interface Continuity {
  /** How often it was noticed that the process had stood still. */
  readonly standstills: number;
  /**
   * Looks at the clock. Resolves when what others have changed is known here, or cannot be had; never rejects.
   * @returns `undefined` when there is nothing to wait for, which is nearly always
   */
  settled(): Promise<void> | undefined;
}

/** Of who goes by nothing that others can change. */
export const uninterrupted: Continuity = { standstills: 0, settled: () => undefined };
