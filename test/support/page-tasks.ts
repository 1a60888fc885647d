/**
 * Measures the main thread of a page during some work, in processor time, so that other load of the machine does not
 * count.
 */
import type { Page } from "playwright-core";

export interface PageTasks {
  /** In milliseconds. */
  readonly longest: number;
  readonly total: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Measures tasks. @param work work of the page, which must stay in its process */
export async function tasksOf(page: Page, work: () => Promise<unknown>): Promise<PageTasks> {
  const browser = page.context().browser();
  if (!browser) throw new Error("the page has no browser");
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const isMainName = ({ name, args }: TraceEvent): boolean => name === "thread_name" && args?.name === "CrRendererMain";
  const mains = new Set(traceEvents.filter(isMainName).map(threadOf));
  const times = traceEvents
    .filter((event) => event.name.endsWith("RunTask") && event.tdur !== undefined && mains.has(threadOf(event)))
    .map(({ tdur = 0 }) => tdur / 1000);
  if (times.length === 0) throw new Error("the trace has no tasks of a page");
  return { longest: Math.max(...times), total: times.reduce((sum, time) => sum + time, 0) };
}

/** Scrolls an element to its end and back, some screens at a time, as fast as the page draws. */
export async function scrollThrough(page: Page, selector: string, steps = 20): Promise<void> {
  await page.evaluate(`(async () => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const end = element.scrollHeight - element.clientHeight;
    if (end < 5000) throw new Error("there is nothing to scroll: " + end);
    for (const way of [1, -1]) {
      for (let i = 0; i <= ${steps}; i++) {
        element.scrollTop = way > 0 ? (end * i) / ${steps} : end - (end * i) / ${steps};
        await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 0)));
      }
    }
  })()`);
}
