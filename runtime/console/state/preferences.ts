/** Preferences of the user, kept in the browser for all tabs: theme and rows per page. */
import { effect, signal } from "@preact/signals";

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Choices of rows per page, in all pages of the console. */
export const pageSizes = [25, 50, 100, 200, 500, 1000] as const;

const themeKey = "engine-console-theme";
const rowsKey = "engine-console-rows-per-page";

const storedTheme = localStorage.getItem(themeKey);
const storedRows = Number(localStorage.getItem(rowsKey));

/** Color theme; `system` follows the setting of the operating system. */
export const theme = signal<Theme>(themes.find((each) => each === storedTheme) ?? "system");

/** Rows per page of paged tables. */
export const rowsPerPage = signal<number>(pageSizes.find((each) => each === storedRows) ?? 100);

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
});

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem(themeKey, chosen);
}

export function chooseRowsPerPage(rows: number): void {
  rowsPerPage.value = rows;
  localStorage.setItem(rowsKey, String(rows));
}
