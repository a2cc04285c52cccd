import { type Kind, on } from './parts.ts';

/** States of tickets and incidents, results as the message, agreed limits and tiers. */
export const lookedUp: readonly Kind[] = [
  // The state of a ticket.
  (parts) => {
    const [key, state, order] = [
      parts.name('key'),
      parts.pick(['Done', 'In Progress', 'Blocked', 'In Review', 'closed']),
      parts.order(),
    ];
    const not = parts.chance(0.5);
    const text = not
      ? parts.pick([
          `if ${key} isn't ${state}${parts.gap()}${order.text}`,
          `unless ${key} is ${state}, ${order.text}`,
          `${order.text} unless ${key} is already ${state}`,
          `${order.text} if ${key} is still not ${state}`,
        ])
      : parts.pick([
          `if ${key} is ${state}${parts.gap()}${order.text}`,
          `${order.text} if ${key} is ${state}`,
          `${key} ${state}? ${order.text}`,
          `once ${key} is ${state}, ${order.text}`,
        ]);
    return [
      text,
      { tool: 'jira.get', args: { key } },
      on(order, { left: 's1', op: not ? '!=' : 'is', right: state }),
    ];
  },
  // The state of an incident.
  (parts) => {
    const [number, order] = [parts.number(2, 60_000), parts.order()];
    const said = parts.pick([`incident ${number}`, `#${number}`, `incident #${number}`]);
    const [state, words] = parts.pick([
      ['resolved', ['is still open', 'is not resolved', "isn't resolved yet", 'has not been resolved']],
      ['acknowledged', ['is not acknowledged', "isn't acked", 'is still not acked', 'has not been acked']],
    ] as const);
    const not = parts.chance(0.7);
    const is = not ? parts.pick(words) : `is ${parts.pick(['', 'already ', 'now '])}${state}`;
    const text = parts.pick([
      `${order.text} if ${said} ${is}`,
      `if ${said} ${is}${parts.gap()}${order.text}`,
      `${order.text} when ${said} ${is}`,
    ]);
    return [
      text,
      { tool: 'pagerduty.get', args: { incident: number } },
      on(order, { left: 's1', op: not ? '!=' : 'is', right: state }),
    ];
  },
  // The count itself is the message.
  (parts) => {
    const a = parts.count();
    const channel = parts.name('channel');
    const text = parts.pick([
      `post the number of ${a.text} to ${channel}`,
      `post how many ${a.text} there are in ${channel}`,
      `tell ${channel} how many ${a.text} there are`,
      `send the count of ${a.text} to ${channel}`,
      `count ${a.text} and post it to ${channel}`,
    ]);
    return [text, a.step, { tool: 'slack.post', args: { channel, text: '$s1' }, needs: ['s1'] }];
  },
  (parts) => {
    const [project, priority, channel] = [
      parts.name('project'),
      `P${parts.number(1, 4)}`,
      parts.name('channel'),
    ];
    const text = parts.pick([
      `post the ${priority} count of ${project} to ${channel}`,
      `${project} ${priority} count to ${channel}`,
      `post the number of ${priority}s of ${project} in ${channel}`,
    ]);
    return [
      text,
      { tool: 'jira.count', args: { project, priority } },
      { tool: 'slack.post', args: { channel, text: '$s1' }, needs: ['s1'] },
    ];
  },
  // A look-up and a bound, as typed on a phone.
  (parts) => {
    const [project, priority, bound, order] = [
      parts.name('project'),
      `P${parts.number(1, 4)}`,
      parts.bound(),
      parts.order(),
    ];
    const text = parts.pick([
      `${project} ${priority} and ${order.text} ${bound.text}`,
      `${project} ${priority}s, ${order.text} ${bound.text}`,
      `check ${project} ${priority} and ${order.text} if ${bound.text}`,
    ]);
    return [
      text,
      { tool: 'jira.count', args: { project, priority } },
      on(order, { left: 's1', op: bound.op, right: bound.right }),
    ];
  },
  // More than the agreed limit.
  (parts) => {
    const [project, priority, order] = [parts.name('project'), `P${parts.number(1, 3)}`, parts.order()];
    const text = parts.pick([
      `if ${project} has more ${priority}s than the SLA allows${parts.gap()}${order.text}`,
      `${order.text} if ${priority}s in ${project} are over the SLA limit`,
    ]);
    return [
      text,
      { tool: 'jira.count', args: { project, priority } },
      { tool: 'sla.threshold', args: { project, priority } },
      on(order, { left: 's1', op: '>', right: 's2' }),
    ];
  },
  // "The on-call" without a service is the project's.
  (parts) => {
    const [project, priority] = [parts.name('project'), `P${parts.number(1, 3)}`];
    const open = parts.chance(0.5);
    const what = `${open ? 'open ' : ''}${priority}${parts.pick([' tickets', 's'])} in ${project}`;
    const page = parts.pick(['page on-call', 'page the on-call', 'page its on-call', 'wake the on-call']);
    const text = parts.pick([
      `check ${what} against the SLA and ${page} if breached`,
      `compare ${what} with the SLA, ${page} if it is breached`,
      `if ${what} are over the SLA ${page}`,
    ]);
    return [
      text,
      { tool: 'jira.count', args: { project, priority, ...(open ? { status: 'open' } : {}) } },
      { tool: 'sla.threshold', args: { project, priority } },
      {
        ...{ tool: 'pagerduty.page', args: { service: project } },
        when: { left: 's1', op: '>', right: 's2' },
      },
    ];
  },
  // Tiers.
  (parts) => {
    const [a, low, order, other] = [parts.count(), parts.number(1, 8), parts.order(), parts.order()];
    const high = low + parts.number(1, 8);
    const text = parts.pick([
      `${a.text}: ${low} to ${high} -> ${order.text}, more than ${high} -> ${other.text}`,
      `if there are ${low} to ${high} ${a.text}, ${order.text}; above ${high} ${other.text}`,
    ]);
    return [
      text,
      a.step,
      on(order, {
        all: [
          { left: 's1', op: '>=', right: low },
          { left: 's1', op: '<=', right: high },
        ],
      }),
      on(other, { left: 's1', op: '>', right: high }),
    ];
  },
];
