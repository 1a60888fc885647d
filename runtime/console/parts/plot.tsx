/** A plot of numbers over time. */
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";

interface Curve {
  readonly label: string;
  /** A variable of the theme: `--accent`. */
  readonly colour: string;
  /** One for each time; `null`: not known. */
  readonly values: readonly (number | null)[];
}

interface PlotProps {
  readonly title: string;
  /** Of the values: `/s`, `ms`. */
  readonly unit: string;
  /** Seconds since 1970. */
  readonly times: readonly number[];
  readonly curves: readonly Curve[];
}

const height = 150;
/** In seconds: of the first times that are known, days around them would be shown. */
const shortest = 60;

export function Plot({ title, unit, times, curves }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | null>(null);
  const names = curves.map(({ label }) => label).join(" ");
  const data = [[...times], ...curves.map(({ values }) => [...values])] as UPlot.AlignedData;
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const colourOf = (name: string): string => resolvedColour(parent, name);
    const axis = { stroke: () => colourOf("--muted"), grid: { stroke: () => colourOf("--line") } };
    const plot = new UPlot(
      {
        width: parent.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: (_, first, last) => [Math.min(first, last - shortest), last] },
          y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] },
        },
        axes: [
          { ...axis, values: clockTimes, space: 90, size: 28 },
          { ...axis, size: 56 },
        ],
        series: [{}, ...curves.map(({ label, colour }) => ({ label, stroke: () => colourOf(colour), width: 1.5 }))],
      },
      data,
      parent,
    );
    drawn.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    observer.observe(parent);
    // Colours of the other theme.
    const themes = new MutationObserver(() => plot.redraw());
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      themes.disconnect();
      observer.disconnect();
      plot.destroy();
      drawn.current = null;
    };
  }, [names]);
  useEffect(() => drawn.current?.setData(data), [times.at(-1)]);
  return (
    <figure class="plot card">
      <figcaption class="plot-head">
        <h3>{title}</h3>
        {curves.map(({ label, colour, values }) => (
          <p key={label} class="plot-value">
            <span class="plot-key" style={{ background: `var(${colour})` }} aria-hidden="true" />
            {`${label} ${shown(values.at(-1) ?? null)} ${unit}`}
          </p>
        ))}
      </figcaption>
      <div ref={place} aria-hidden="true" />
    </figure>
  );
}

const clockTimes = (_plot: UPlot, times: readonly number[]): string[] =>
  times.map((time) => new Date(time * 1000).toLocaleTimeString(undefined, { hour12: false }));

/** As a canvas understands it: variables are of both themes, and only an element knows which of them counts. */
function resolvedColour(parent: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const shown = (value: number | null): string =>
  value === null ? "–" : value.toLocaleString(undefined, { maximumSignificantDigits: 3 });
