/** Router: maps the address after `/console` to segments and parameters. */
import { computed, signal } from "@preact/signals";
import { consolePath } from "../http/address.ts";

const pathOf = (): string => location.pathname.slice(consolePath.length);

const path = signal(pathOf());
const search = signal(location.search);

/** Unsaved work of a page. */
interface LeaveGuard {
  /** Question that the user confirms to leave the page. */
  readonly warning: string;
  readonly onLeave: () => void;
}

let guard: LeaveGuard | null = null;

/** Warns before the page is left, also by closing the browser tab; `null` removes the warning. */
export function setLeaveGuard(next: LeaveGuard | null): void {
  guard = next;
}

addEventListener("beforeunload", (event) => {
  if (guard !== null) event.preventDefault();
});

/** Returns false if the user stays on the page. */
function leavesFor(target: string): boolean {
  if (guard === null || target === path.value) return true;
  if (!confirm(guard.warning)) return false;
  guard.onLeave();
  return true;
}

addEventListener("popstate", () => {
  if (!leavesFor(pathOf())) {
    history.pushState(null, "", `${consolePath}${path.value}${search.value}`);
    return;
  }
  path.value = pathOf();
  search.value = location.search;
});

/** Decoded path segments: `/data/default` → `["data", "default"]`. */
export const segments = computed(() => path.value.split("/").filter(Boolean).map(decode));

/** Query parameters. */
export const parameters = computed(() => new URLSearchParams(search.value));

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export const addressOf = (to: readonly string[], query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString();
  return `${consolePath}/${to.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
};

/** @param how `replace` to replace the current history entry */
export function navigate(address: string, how: "push" | "replace" = "push"): void {
  if (!leavesFor(new URL(address, location.href).pathname.slice(consolePath.length))) return;
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  path.value = pathOf();
  search.value = location.search;
}
