/** What of the metadata is accepted and not acted on, as lines for people. */
import type { Analysis } from "../../compiler/2-analyze/analysis.ts";
import { noticesOf } from "../../compiler/2-analyze/notices.ts";
import { unreadMembers, unreadText } from "../../compiler/catalog/unread-members.ts";
import { isObject } from "../values/is-object.ts";

/** An Analysis is never changed. */
const known = new WeakMap<Analysis, readonly string[]>();

export function noticeLines(analysis: Analysis): readonly string[] {
  let lines = known.get(analysis);
  if (lines === undefined) {
    lines = noticesOf(analysis).map(({ path, message }) => `${path}: ${message}`);
    known.set(analysis, lines);
  }
  return lines;
}

/**
 * What of a document that replaces the metadata is not even stored: keys that nothing reads.
 * @param request the body of a request, of any kind
 */
export function unreadLines(request: unknown): readonly string[] {
  if (!isObject(request) || request.type !== "replace_metadata" || !isObject(request.args)) return [];
  const { args } = request;
  const document = isObject(args.metadata) ? args.metadata : args;
  return unreadMembers(document).map((member) => `${member.path}: ${unreadText(member)}`);
}
