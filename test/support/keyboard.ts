/** A page that is used by keyboard alone: focus goes where its keys lead, and nothing is clicked. */
import type { Page } from "playwright-core";

/** What a screen reader would say first: `button Run`. */
const focused = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return "";
  const described = (element.getAttribute("aria-labelledby") ?? "").split(" ")
    .map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(" ");
  const name = element.getAttribute("aria-label") ?? (described || labels || element.textContent || "");
  const kind = element.getAttribute("role") ?? { a: "link" }[element.localName] ?? element.localName;
  return kind + " " + name.replace(/\\s+/g, " ").trim();
})()`;

export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  focused(): Promise<string> {
    return this.#page.evaluate(focused) as Promise<string>;
  }

  /**
   * Tabs on until the focus is there: `button Run`, `link Data`, `input Name`.
   * @throws Error with all that was passed, when the focus is where it began
   */
  async tabTo(name: string | RegExp, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    const passed: string[] = [];
    for (let step = 0; step < 150; step++) {
      await this.#page.keyboard.press(key);
      const now = await this.focused();
      if (typeof name === "string" ? now === name : name.test(now)) return;
      passed.push(now);
    }
    throw new Error(`the focus never came to ${name}: ${passed.join(" | ")}`);
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key);
  }

  /** Over what is in the field. */
  async fill(name: string | RegExp, text: string): Promise<void> {
    await this.tabTo(name);
    await this.press("Control+a");
    await this.#page.keyboard.type(text);
  }

  async activate(name: string | RegExp, key = "Enter"): Promise<void> {
    await this.tabTo(name);
    await this.press(key);
  }
}
