import { type Operator, opposites } from '../../../src/plan/everyday/draft.ts';
import { compare, type Kind, on } from './parts.ts';

/** Bounds, before or after the order; their opposites, the other case, sums, both and either. */
export const bounded: readonly Kind[] = [
  // A bound, before or after the order.
  (parts) => {
    const [a, bound, order] = [parts.count(), parts.bound(), parts.order()];
    const text = parts.pick([
      `if ${a.text} ${parts.is()} ${bound.text}${parts.gap()}${order.text}`,
      `${order.text} if there are ${bound.text} ${a.text}`,
      `${a.text}: ${bound.text}? ${order.text}`,
      `${order.text} when ${a.text} ${parts.is()} ${bound.text}`,
      `only ${order.text} if there are ${bound.text} ${a.text}`,
    ]);
    return [text, a.step, on(order, { left: 's1', op: bound.op, right: bound.right })];
  },
  // Unless: the opposite.
  (parts) => {
    const [a, bound, order] = [parts.count(), parts.bound(), parts.order()];
    const text = parts.pick([
      `unless ${a.text} ${parts.is()} ${bound.text}, ${order.text}`,
      `${order.text} unless there are ${bound.text} ${a.text}`,
      `unless there are ${bound.text} ${a.text}, ${order.text}`,
      `${order.text}, but not if there are ${bound.text} ${a.text}`,
    ]);
    return [text, a.step, on(order, { left: 's1', op: opposites[bound.op as Operator], right: bound.right })];
  },
  (parts) => {
    const [a, bound, order] = [parts.count(), parts.bound(), parts.order()];
    const text = parts.pick([
      `don't ${order.text} unless there are ${bound.text} ${a.text}`,
      `unless there are ${bound.text} ${a.text} do not ${order.text}`,
    ]);
    return [text, a.step, on(order, { left: 's1', op: bound.op, right: bound.right })];
  },
  // The other case.
  (parts) => {
    const [a, bound, order, other] = [parts.count(), parts.bound(), parts.order(), parts.order()];
    const text = parts.pick([
      `${a.text}: ${bound.text} -> ${order.text}, ${parts.else()} ${other.text}`,
      `if ${a.text} ${parts.is()} ${bound.text}${parts.gap()}${order.text}${parts.pick(['; ', ', ', '. '])}${parts.else()} ${other.text}`,
      `${order.text} if there are ${bound.text} ${a.text}, ${parts.else()} ${other.text}`,
    ]);
    return [
      text,
      a.step,
      on(order, { left: 's1', op: bound.op, right: bound.right }),
      on(other, { left: 's1', op: opposites[bound.op as Operator], right: bound.right }),
    ];
  },
  // The other case is nothing.
  (parts) => {
    const [a, bound, order] = [parts.count(), parts.bound(), parts.order()];
    const nothing = parts.pick([
      'otherwise do nothing',
      'else leave it',
      'otherwise just tell me',
      'if not, forget it',
      'otherwise nothing to do',
      'else only let me know',
    ]);
    return [
      `if there are ${bound.text} ${a.text}${parts.gap()}${order.text}, ${nothing}`,
      a.step,
      on(order, { left: 's1', op: bound.op, right: bound.right }),
    ];
  },
  // Any or none.
  (parts) => {
    const [a, order] = [parts.count(), parts.order()];
    const none = parts.chance(0.5);
    const text = none
      ? parts.pick([
          `no ${a.text}? ${order.text}`,
          `if there are no ${a.text}${parts.gap()}${order.text}`,
          `${order.text} if there are no ${a.text}`,
          `${a.text}: none -> ${order.text}`,
        ])
      : parts.pick([
          `any ${a.text}? ${order.text}`,
          `if there are any ${a.text}${parts.gap()}${order.text}`,
          `${order.text} if there are ${a.text}`,
          `${a.text}: if any, ${order.text}`,
        ]);
    return [text, a.step, on(order, { left: 's1', op: none ? '==' : '>', right: 0 })];
  },
  // Sums, both, either.
  (parts) => {
    const [a, b, bound, order] = [parts.count(), parts.count(), parts.bound(), parts.order()];
    const text = parts.pick([
      `if ${a.text} plus ${b.text} ${parts.is()} ${bound.text} together${parts.gap()}${order.text}`,
      `${order.text} if ${a.text} and ${b.text} add up to ${bound.text}`,
    ]);
    return [text, a.step, b.step, on(order, { left: ['s1', 's2'], op: bound.op, right: bound.right })];
  },
  (parts) => {
    const [a, b, one, two, order] = [
      parts.count(),
      parts.count(),
      parts.bound(),
      parts.bound(),
      parts.order(),
    ];
    const all = parts.chance(0.6);
    const both = [compare('s1', one), compare('s2', two)];
    return [
      `if ${a.text} ${parts.is()} ${one.text} ${all ? 'and' : 'or'} ${b.text} ${parts.is()} ${two.text}${parts.gap()}${order.text}`,
      a.step,
      b.step,
      on(order, all ? { all: both } : { any: both }),
    ];
  },
];
