/** Reads the arguments of a connection that select a page of its rows. */

import { EngineError, invariant, pathTo } from "../../../values/errors.ts";
import type { Sql } from "../../definitions/sql.ts";
import type { TableView } from "../../definitions/view.ts";
import type { RelayTexts } from "../../relay/relay-texts.ts";
import type { OutputMeta } from "../../schema/types.ts";
import type { Input } from "../request/input.ts";
import type { SelectedField } from "../request/selected-field.ts";
import { effectiveLimit, limitValue } from "./arguments.ts";
import { type BuildContext, operand } from "./context.ts";

export interface Page {
  /** True if the page has the last rows, read in reverse order. */
  readonly isBackward: boolean;
  readonly limit: Sql | undefined;
  /** True if one row more than the limit is read. */
  readonly looksAhead: boolean;
  readonly cursor: PageCursor | undefined;
  /** Decodes and encodes cursors. */
  readonly texts: RelayTexts;
  readonly path: string;
}

export interface PageCursor {
  readonly side: "after" | "before";
  readonly input: Extract<Input, { kind: "value" }>;
}

export function readPage({ rowLimit }: TableView, field: SelectedField, context: BuildContext): Page {
  const path = pathTo(field.path, "args");
  const [first, last, after, before] = ["first", "last", "after", "before"].map((name) => {
    const input = field.args.get(name);
    return input?.kind === "value" ? input : undefined;
  });
  if (first && last) throw invalid(path, '"first" and "last" are not allowed at once');
  if (after && before) throw invalid(path, '"after" and "before" are not allowed at once');
  const count = first ?? last;
  const limit = effectiveLimit(
    count && operand(count, context.dialect.bigintParameterType, limitValue),
    rowLimit,
    context,
  );
  const isBackward = last !== undefined;
  const ahead = isBackward ? "has_previous_page" : "has_next_page";
  const looksAhead = limit !== undefined && selectsPageInfo(field, ahead);
  const input = after ?? before;
  const cursor = input && { side: after ? ("after" as const) : ("before" as const), input };
  const { cursors: texts } = field;
  invariant(texts, "connections have cursors");
  return { isBackward, limit, looksAhead, cursor, texts, path };
}

function selectsPageInfo(field: SelectedField, kind: OutputMeta["kind"]): boolean {
  return field.selection.some(
    ({ meta, selection }) => meta.kind === "page_info" && selection.some((inner) => inner.meta.kind === kind),
  );
}

function invalid(path: string, message: string): EngineError {
  return new EngineError("validation-failed", path, message);
}
