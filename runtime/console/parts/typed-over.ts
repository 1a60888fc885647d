/**
 * Typing over a selection, done by the editor alone. Left to itself, Chromium deletes the selection in the page first and
 * keeps its looks: the letters come in an element with a style attribute. The content security policy allows none, so
 * each time the browser would report an attack. Compositions are left to the browser: a change of the page ends them.
 */
import { EditorView } from "@codemirror/view";

export const typedOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing, cancelable } = event;
    if (inputType !== "insertText" || data === null || isComposing || !cancelable) return false;
    const selected = selectedIn(view);
    if (selected === undefined) return false;
    event.preventDefault();
    if (!view.state.readOnly) replace(view, selected, data);
    return true;
  },
});

interface Selected {
  readonly from: number;
  readonly to: number;
}

/** The editor learns of a selection that a program made in the page a moment after it is made. */
function selectedIn(view: EditorView): Selected | undefined {
  const { main } = view.state.selection;
  if (!main.empty) return main;
  const selection = document.getSelection();
  const [anchor, focus] = [selection?.anchorNode, selection?.focusNode];
  if (!selection || !anchor || !focus || selection.isCollapsed) return undefined;
  if (!view.contentDOM.contains(anchor) || !view.contentDOM.contains(focus)) return undefined;
  const ends = [view.posAtDOM(anchor, selection.anchorOffset), view.posAtDOM(focus, selection.focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}

/** As the editor does for a change that it reads from the page: what closes brackets and quotes is asked first. */
function replace(view: EditorView, { from, to }: Selected, text: string): void {
  const { state } = view;
  const insert = () =>
    state.update({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: "input.type",
      scrollIntoView: true,
    });
  const isHandled = state.facet(EditorView.inputHandler).some((handler) => handler(view, from, to, text, insert));
  if (!isHandled) view.dispatch(insert());
}
