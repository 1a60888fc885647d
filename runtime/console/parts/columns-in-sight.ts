/** Which columns of a wide table are in sight: only they are in the document. */
import type { RefObject } from "preact";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";

export interface ColumnsInSight {
  /** Index of the first one. */
  readonly from: number;
  /** Index behind the last one. */
  readonly to: number;
  /** Width of those before and after, in pixels. */
  readonly before: number;
  readonly after: number;
}

/** Fewer columns are all drawn. */
const fewColumns = 16;

/** Drawn beside those in sight, in pixels. */
const margin = 200;

/** Before the table is measured. */
const usualWidth = 1400;

interface Sight {
  readonly left: number;
  readonly width: number;
}

/**
 * @param widths of all columns in pixels; `undefined`: one of them takes what is left
 * @param scroller what scrolls
 */
export function useColumnsInSight(
  widths: readonly (number | undefined)[],
  scroller: RefObject<HTMLElement | null>,
): ColumnsInSight {
  const isWide = widths.length > fewColumns && widths.every((width) => width !== undefined);
  const [{ left, width }, setSight] = useState<Sight>({ left: 0, width: usualWidth });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!isWide || !element) return;
    const look = (): void => {
      // In steps: a little scrolling draws nothing anew.
      const seen = { left: Math.floor(element.scrollLeft / margin) * margin, width: element.clientWidth + margin };
      setSight((known) => (known.left === seen.left && known.width === seen.width ? known : seen));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [isWide, scroller]);
  return useMemo(() => {
    const all = { from: 0, to: widths.length, before: 0, after: 0 };
    return isWide ? inSight(widths, left - margin, left + width + margin) : all;
  }, [isWide, widths.join(), left, width]);
}

function inSight(widths: readonly (number | undefined)[], start: number, end: number): ColumnsInSight {
  let [from, to, before, after, position] = [widths.length, 0, 0, 0, 0];
  for (const [index, width = 0] of widths.entries()) {
    const next = position + width;
    if (next <= start) before += width;
    else if (position >= end) after += width;
    else {
      from = Math.min(from, index);
      to = index + 1;
    }
    position = next;
  }
  return { from: Math.min(from, to), to, before, after };
}
