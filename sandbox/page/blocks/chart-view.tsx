/** Slack's `data_visualization`, for which its library has no type yet. */
export interface ChartBlock {
  readonly type: 'data_visualization';
  readonly title: string;
  readonly chart: {
    readonly type: string;
    readonly series: readonly {
      readonly name: string;
      readonly data: readonly { readonly label: string; readonly value: number }[];
    }[];
    readonly axis_config: { readonly categories: readonly string[] };
  };
}

export function isChart(block: { readonly type: string }): block is ChartBlock {
  return block.type === 'data_visualization';
}

const width = 320;
const height = 110;
const colours = ['#1264a3', '#c01343', '#2eb67d'];

export function ChartView({ block }: { block: ChartBlock }) {
  const { series, axis_config: axis, type } = block.chart;
  const top = Math.max(1, ...series.flatMap(({ data }) => data.map(({ value }) => value)));
  const step = width / axis.categories.length;
  const x = (index: number) => (index + 0.5) * step;
  const y = (value: number) => height - (value / top) * (height - 14);
  return (
    <figure className="chart">
      <figcaption>{block.title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height + 16}`} role="img" aria-label={block.title}>
        {series.map(({ name, data }, nth) =>
          type === 'bar' ? (
            data.map(({ label, value }, index) => (
              <g key={label}>
                <rect
                  x={x(index) - step / 4}
                  y={y(value)}
                  width={step / 2}
                  height={height - y(value)}
                  fill={colours[nth]}
                />
                <text x={x(index)} y={y(value) - 3} textAnchor="middle">
                  {value}
                </text>
              </g>
            ))
          ) : (
            <polyline
              key={name}
              points={data.map(({ value }, index) => `${x(index)},${y(value)}`).join(' ')}
              stroke={colours[nth]}
              strokeWidth="2"
              fill="none"
            />
          ),
        )}
        {axis.categories.map((label, index) => (
          <text key={label} x={x(index)} y={height + 12} textAnchor="middle">
            {axis.categories.length > 7 && index % 2 === 1 ? '' : label}
          </text>
        ))}
      </svg>
      <small className="muted">{series.map(({ name }) => name).join(' · ')}</small>
    </figure>
  );
}
