/** The hints of a tool as words. */
import type { ToolHints } from "../../http/agent-tools-api.ts";

interface HintWord {
  readonly text: string;
  readonly class: string;
}

export function hintWords({ read_only, destructive, idempotent, open_world }: ToolHints): readonly HintWord[] {
  return [
    read_only ? { text: "Reads only", class: "badge good" } : { text: "Changes data", class: "badge warn" },
    ...(!read_only && destructive ? [{ text: "Can delete or overwrite", class: "badge bad" }] : []),
    ...(!read_only && idempotent ? [{ text: "Repeating a call has no further effect", class: "badge" }] : []),
    ...(open_world ? [{ text: "Calls other services", class: "badge warn" }] : []),
  ];
}
