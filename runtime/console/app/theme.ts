/** Colour theme: follows the system setting until the user switches it. */
import { effect, signal } from "@preact/signals";

type Theme = "light" | "dark";

const key = "engine-console-theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

const isTheme = (value: string | null): value is Theme => value === "light" || value === "dark";
const stored = localStorage.getItem(key);

const chosen = signal<Theme | null>(isTheme(stored) ? stored : null);

effect(() => {
  if (chosen.value === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen.value;
});

export function switchTheme(): void {
  const now = chosen.value ?? (systemIsDark.matches ? "dark" : "light");
  chosen.value = now === "dark" ? "light" : "dark";
  localStorage.setItem(key, chosen.value);
}
