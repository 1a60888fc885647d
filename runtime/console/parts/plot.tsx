/** Line chart of values over time. */
import { useEffect, useRef } from "preact/hooks";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";

interface Curve {
  readonly label: string;
  /** CSS variable of the theme, such as `--accent`. */
  readonly color: string;
  /** One value per time; `null` for a gap. */
  readonly values: readonly (number | null)[];
}

interface PlotProps {
  readonly title: string;
  /** Unit of the values, such as `ms`. */
  readonly unit: string;
  /** Unix times in seconds. */
  readonly times: readonly number[];
  readonly curves: readonly Curve[];
}

/** Height of the chart in pixels. */
const height = 150;
/** Minimum range of the time axis in seconds. */
const minSpan = 60;

/** Returns the range of the time axis. uPlot's own range around a single time spans days. */
function timeRange(times: ArrayLike<number>): UPlot.Range.MinMax {
  const last = times[times.length - 1] ?? Date.now() / 1000;
  return [Math.min(times[0] ?? last, last - minSpan), last];
}

export function Plot({ title, unit, times, curves }: PlotProps) {
  const container = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot | null>(null);
  const names = curves.map(({ label }) => label).join(" ");
  const data = [[...times], ...curves.map(({ values }) => [...values])] as UPlot.AlignedData;
  useEffect(() => {
    const parent = container.current;
    if (!parent) return;
    const colorOf = (name: string): string => resolvedColor(parent, name);
    const axis = { stroke: () => colorOf("--muted"), grid: { stroke: () => colorOf("--line") } };
    const plot = new UPlot(
      {
        width: parent.clientWidth,
        height,
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { range: ({ data: [all] }) => timeRange(all) },
          y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
        },
        axes: [
          { ...axis, values: clockTimes, space: 90, size: 28 },
          { ...axis, size: 56 },
        ],
        series: [{}, ...curves.map(({ label, color }) => ({ label, stroke: () => colorOf(color), width: 1.5 }))],
      },
      data,
      parent,
    );
    drawn.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    observer.observe(parent);
    // The colors change with the theme.
    const themes = new MutationObserver(() => plot.redraw());
    themes.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => {
      themes.disconnect();
      observer.disconnect();
      plot.destroy();
      drawn.current = null;
    };
  }, [names]);
  useEffect(() => drawn.current?.setData(data), [times.at(-1), times.length]);
  return (
    <figure class="plot card">
      <figcaption class="plot-head">
        <h3>{title}</h3>
        {curves.map(({ label, color, values }) => (
          <p key={label} class="plot-value">
            <span class="plot-key" style={{ background: `var(${color})` }} aria-hidden="true" />
            {`${label} ${shown(values.at(-1) ?? null)} ${unit}`}
          </p>
        ))}
      </figcaption>
      <div ref={container} aria-hidden="true" />
    </figure>
  );
}

const clockTimes = (_plot: UPlot, times: readonly number[]): string[] =>
  times.map((time) => new Date(time * 1000).toLocaleTimeString(undefined, { hour12: false }));

/** Returns the computed color of a CSS variable, since a canvas cannot resolve variables. */
function resolvedColor(parent: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

const shown = (value: number | null): string =>
  value === null ? "–" : value.toLocaleString(undefined, { maximumSignificantDigits: 3 });
