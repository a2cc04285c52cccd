import { type Change, speaks } from './change.ts';
import { pick } from './random.ts';

/** The words of a plan to somebody else, or to one more. */

/** A post in place of a page, or a page in place of a post, with the same words and condition. */
export const rerouted: Change = (steps, names, random) => {
  const found = steps.filter(
    ({ tool, args, when }) => speaks.has(tool) && (when !== undefined || args.text !== undefined),
  );
  const own = found.filter(({ tool }) => tool === 'pagerduty.page' || tool === 'slack.post');
  if (own.length !== 1 || own[0] === undefined) return null;
  const [step] = own;
  const { text } = step.args;
  const words = text === undefined ? {} : { text };
  const isPage = step.tool === 'pagerduty.page';
  const old = String(step.args.service ?? step.args.channel ?? step.args.user);
  if (!isPage && random() < 0.5) {
    const service = pick(names.service, random);
    Object.assign(step, { tool: 'pagerduty.page', args: { service, ...words } });
    return pick(pagesInstead, random).replace('{to}', service).replace('{old}', old);
  }
  const isChannel = random() < 0.6;
  const to = pick(isChannel ? names.channel : names.user, random);
  Object.assign(step, { tool: 'slack.post', args: { [isChannel ? 'channel' : 'user']: to, ...words } });
  const list = [...(isPage ? insteadOfPage : insteadOfPost), ...(isChannel ? postsInstead : messagesInstead)];
  return pick(list, random).replace('{to}', to).replace('{old}', old);
};

const pagesInstead = [
  ...['page {to} instead', 'page {to} instead of posting', 'page {to} rather', 'no post, page {to}'],
  ...['page {to} instead of {old}', 'wake {to} instead', 'rather page {to}', "don't post, page {to}"],
];
const insteadOfPage = [
  ...[
    'message {to} instead of paging',
    'no page, just tell {to}',
    "don't page, tell {to}",
    'tell {to} instead',
  ],
  ...[
    'tell {to} instead of paging {old}',
    'rather tell {to}',
    'tell {to} and not the pager',
    '{to} instead of a page',
  ],
  ...["don't page {old}, tell {to}", 'just let {to} know instead'],
];
const insteadOfPost = ['{to} instead', 'send it to {to} instead', '{to} instead of {old}', 'not {old}, {to}'];
const postsInstead = [
  ...['post to {to} instead', 'post it in {to} instead', 'post in {to} instead', 'put it in {to} instead'],
  ...['just post it to {to}', 'post to {to} rather', 'better post that to {to}', 'use {to} instead'],
];
const messagesInstead = [
  ...[
    'message {to} instead',
    'dm {to} instead',
    'ping {to} instead',
    'write to {to} instead',
    'dm {to} rather',
  ],
  ...['better message {to}', 'just dm {to}'],
];

const carries = /^(?:pagerduty\.page|slack\.post)$/u;

/** The same words to one more. */
export const copied: Change = (steps, names, random) => {
  const found = steps.findLast(
    ({ tool, args, when }) => carries.test(tool) && (when !== undefined || args.text !== undefined),
  );
  if (found === undefined) return null;
  const isChannel = random() < 0.6;
  const to = pick(isChannel ? names.channel : names.user, random);
  const { text } = found.args;
  steps.push({
    ...structuredClone(found),
    ...{ id: `s${steps.length + 1}`, tool: 'slack.post' },
    args: { [isChannel ? 'channel' : 'user']: to, ...(text === undefined ? {} : { text }) },
  });
  return pick(
    [
      ...[`also tell ${to}`, `tell ${to} too`, `and tell ${to}`, `tell ${to} as well`, `${to} too`],
      ...[`also let ${to} know`, `also ${isChannel ? 'post to' : 'dm'} ${to}`, `and ${to}`, `${to} as well`],
      ...[`${isChannel ? 'post it in' : 'send it to'} ${to} too`, `also ping ${to}`],
    ],
    random,
  );
};
