import { listAt, stringAt } from '../fields.ts';
import { base } from './composition.ts';
import { byType, list, may, need, number, object, type Rule, string } from './rules.ts';

const point = object({ label: need(string({ min: 1, max: 20 })), value: need(number()) });
const axes = object({
  categories: need(list(string({ min: 1, max: 20 }), { min: 1 })),
  x_label: may(string({ max: 50 })),
  y_label: may(string({ max: 50 })),
});
const series = object({ name: need(string({ min: 1, max: 20 })), data: need(list(point, { min: 1 })) });

/** Series have unique names, and a value for each category. */
const drawn: Rule = object(
  { type: need(string()), series: need(list(series, { min: 1, max: 6 })), axis_config: need(axes) },
  (chart, at, findings) => {
    const all = listAt(chart, 'series');
    const names = all.map((one) => stringAt(one, 'name'));
    if (new Set(names).size < names.length) findings.add(`${at}/series`, 'must have unique names');
    const { axis_config: config } = chart;
    const wanted = JSON.stringify(
      typeof config === 'object' && config !== null && 'categories' in config ? config.categories : [],
    );
    for (const [index, one] of all.entries()) {
      const labels = listAt(one, 'data').map((each) => stringAt(each, 'label'));
      if (JSON.stringify(labels) !== wanted || new Set(labels).size < labels.length)
        findings.add(`${at}/series/${index}/data`, 'labels must match the categories');
    }
  },
);

export const dataVisualization: Rule = object({
  ...base,
  title: need(string({ min: 1, max: 50 })),
  chart: need(byType(() => ({ line: drawn, bar: drawn, area: drawn }))),
});
