/** Which page is shown: the part of the address after `/console`. */
import { computed, signal } from "@preact/signals";
import { consolePath } from "../http/address.ts";

const pathOf = (): string => location.pathname.slice(consolePath.length);

const path = signal(pathOf());
const search = signal(location.search);

addEventListener("popstate", () => {
  path.value = pathOf();
  search.value = location.search;
});

/** The segments of the path, decoded: `/data/default` → `["data", "default"]`. */
export const segments = computed(() => path.value.split("/").filter(Boolean).map(decode));

/** What stands behind the question mark. */
export const parameters = computed(() => new URLSearchParams(search.value));

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a page. */
export const addressOf = (to: readonly string[], query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString();
  return `${consolePath}/${to.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
};

/** @param how `replace`: the way back leads past the address that was shown */
export function navigate(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
  path.value = pathOf();
  search.value = location.search;
}
