/** Virtualization of rows: only the visible rows of a long list are in the document. */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useReducer, useState } from "preact/hooks";

export interface VirtualRows {
  /** Total height of all rows in pixels. */
  readonly height: number;
  readonly rows: readonly { readonly index: number; readonly start: number }[];
  scrollTo(index: number): void;
}

interface Settings {
  readonly count: number;
  /** Height of each row in pixels. */
  readonly rowHeight: number;
  readonly scroller: RefObject<HTMLElement | null>;
}

export function useVirtualRows({ count, rowHeight, scroller }: Settings): VirtualRows {
  const [, redraw] = useReducer((version: number) => version + 1, 0);
  const options = {
    count,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroller.current,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    overscan: 4,
    initialRect: { width: 0, height: 800 },
    onChange: () => redraw(null),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  return {
    height: virtualizer.getTotalSize(),
    rows: virtualizer.getVirtualItems(),
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  };
}
