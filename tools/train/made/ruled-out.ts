import type { Kind } from './parts.ts';

/** Orders that are ruled out, and corrections. */
export const ruledOut: readonly Kind[] = [
  // Something ruled out is not a step.
  (parts) => {
    const [a, order] = [parts.count(), parts.order()];
    const no = parts.pick([
      `no need to ${order.text}`,
      `don't ${order.text}`,
      `please don't ${order.text}`,
      `you don't have to ${order.text}`,
      `nobody has to ${order.text}`,
    ]);
    return [
      parts.pick([`how many ${a.text}? ${no}`, `${no}, just count ${a.text}`, `number of ${a.text}, ${no}`]),
      a.step,
    ];
  },
  (parts) => {
    const [order, other] = [parts.order(), parts.order()];
    const no = parts.pick([`no need to ${other.text}`, `don't ${other.text}`, `do not ${other.text}`]);
    return [
      parts.pick([`${order.text}, ${no}`, `${no}, just ${order.text}`, `${order.text}. ${no}`]),
      order.step,
    ];
  },
  // A correction wins.
  (parts) => {
    const [one, two] = [parts.name('project'), parts.name('project')];
    const { text, args } = parts.filter();
    return [
      `how many ${text} in ${one}${parts.pick([', no wait, ', ', sorry, ', ' .. I mean ', ', no, ', ' - make that '])}${two}`,
      { tool: 'jira.count', args: { project: two, ...args } },
    ];
  },
  (parts) => {
    const [one, two] = [parts.name('service'), parts.name('service')];
    return [
      `page ${one}${parts.pick([', no wait, ', ', sorry, ', '.. actually ', ', I mean '])}${two}`,
      { tool: 'pagerduty.page', args: { service: two } },
    ];
  },
];
