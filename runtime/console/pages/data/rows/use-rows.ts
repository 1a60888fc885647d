/** Loads one page of rows, and the number of all rows next to it, so that a slow count delays no rows. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { countRows, type Row, selectRows, type TableInfo, type TableLocation } from "../../../http/data-api.ts";
import type { JsonObject } from "../../../http/metadata-types.ts";
import { type PageStart, type Paging, pageQuery } from "./keyset.ts";

/** Tables with more rows show the estimate of the database instead of counting. */
const maxCountedRows = 200_000;

export interface RowsRequest {
  readonly location: TableLocation;
  readonly info: TableInfo;
  readonly where: JsonObject;
  readonly paging: Paging;
  readonly pageSize: number;
}

export interface RowsPage {
  readonly rows: readonly Row[];
  /** Position of the first row, beginning with 1; `null` if unknown. */
  readonly from: number | null;
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

export interface RowCount {
  readonly value: number;
  /** False for an estimate. */
  readonly isExact: boolean;
}

export interface LoadedRows {
  /** The last loaded page, which stays visible while another one loads; `null` before the first. */
  readonly page: RowsPage | null;
  readonly count: RowCount | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  goTo(start: PageStart): void;
  /** Loads the page and the count again. */
  reload(): void;
  /** Counts all rows, for tables that show an estimate. */
  countExactly(): void;
  /** Replaces a row of the page after it was saved. */
  replaceRow(index: number, row: Row): void;
}

const first: PageStart = { kind: "first" };

interface State {
  readonly page: RowsPage | null;
  readonly error: unknown;
  readonly isLoading: boolean;
}

export function useRows(request: RowsRequest): LoadedRows {
  const { location, where, paging, pageSize } = request;
  const key = JSON.stringify([location, where, paging.order, pageSize]);
  const [target, setTarget] = useState<{ readonly key: string; readonly start: PageStart }>({ key, start: first });
  const [version, setVersion] = useState(0);
  const [state, setState] = useState<State>({ page: null, error: null, isLoading: true });
  const latest = useRef(state);
  latest.current = state;
  // A change of the filter, the order or the page size begins with the first page.
  const start = target.key === key ? target.start : first;
  useEffect(() => {
    const abort = new AbortController();
    setState((before) => ({ ...before, error: null, isLoading: true }));
    loadPage(request, start, latest.current.page, abort.signal).then(
      (page) => setState({ page, error: null, isLoading: false }),
      (error: unknown) => {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => abort.abort();
  }, [key, start, version]);
  const { count, countExactly } = useCount(request, version);
  const goTo = useCallback((next: PageStart) => setTarget({ key, start: next }), [key]);
  const reload = useCallback(() => setVersion((before) => before + 1), []);
  const replaceRow = useCallback(
    (index: number, row: Row) =>
      setState((before) => {
        const { page } = before;
        return page ? { ...before, page: { ...page, rows: page.rows.with(index, row) } } : before;
      }),
    [],
  );
  return { ...state, count, goTo, reload, countExactly, replaceRow };
}

/** @param before the page on screen */
async function loadPage(
  { location, where, paging, pageSize }: RowsRequest,
  start: PageStart,
  before: RowsPage | null,
  signal: AbortSignal,
): Promise<RowsPage> {
  // One row more than the page has shows whether there are further rows.
  const { query, isReversed } = pageQuery(paging, start, where, pageSize + 1);
  const found = await selectRows(location, query, signal);
  const hasMore = found.length > pageSize;
  const rows = hasMore ? found.slice(0, pageSize) : [...found];
  if (isReversed) rows.reverse();
  const hasPrevious = isReversed ? hasMore : start.kind === "after" || (start.kind === "at" && start.offset > 0);
  const hasNext = isReversed ? start.kind === "before" : hasMore;
  return { rows, from: positionOf(start, rows.length, hasPrevious, before), hasPrevious, hasNext };
}

function positionOf(start: PageStart, length: number, hasPrevious: boolean, before: RowsPage | null): number | null {
  if (start.kind === "at") return start.offset + 1;
  if (!hasPrevious) return 1;
  if (start.kind === "last" || before === null || before.from === null) return null;
  // Reloading a page keeps its position.
  if (start.kind === "after") {
    if (before.rows.at(-1) === start.row) return before.from + before.rows.length;
    return before.from;
  }
  if (start.kind !== "before") return 1;
  return before.rows[0] === start.row ? before.from - length : before.from;
}

function useCount({ location, info, where }: RowsRequest, version: number) {
  const key = JSON.stringify([location, where]);
  const [found, setFound] = useState<{ readonly key: string; readonly count: RowCount } | null>(null);
  const [isExact, setExact] = useState(false);
  const estimate = info.estimated_rows;
  const isFiltered = Object.keys(where).length > 0;
  const useEstimate = !isExact && !isFiltered && !location.session && estimate !== null && estimate > maxCountedRows;
  useEffect(() => {
    let isOutdated = false;
    const keep = (count: RowCount): void => {
      if (!isOutdated) setFound({ key, count });
    };
    if (useEstimate) keep({ value: estimate, isExact: false });
    // The page shows the error of its rows; a failed count is only absent.
    else
      countRows(location, where).then(
        (value) => keep({ value, isExact: true }),
        () => undefined,
      );
    return () => {
      isOutdated = true;
    };
  }, [key, version, useEstimate]);
  const countExactly = useCallback(() => setExact(true), []);
  return { count: found?.key === key ? found.count : null, countExactly };
}
