import { SlackApiError } from '../errors.ts';
import { type Fields, isFields } from '../fields.ts';
import type { Canvas } from '../model.ts';
import type { SlackState } from '../state.ts';
import type { Workspace } from '../workspace.ts';
import type { Args } from './args.ts';
import { botMethod, channelById, type Methods, requireMember } from './method.ts';

/** Canvases of the bot; Slack lists them among the files. */
export const canvasMethods: Methods = {
  'canvases.create': botMethod(['canvases:write'], create),
  'canvases.sections.lookup': botMethod(['canvases:read'], lookup),
  'files.list': botMethod(['files:read'], list),
  'files.info': botMethod(['files:read'], info),
};

function create(args: Args, { state }: Workspace): Fields {
  const channel = channelById(state, args.need('channel_id'));
  requireMember(state, channel);
  const content = args.json('document_content', 'invalid_arguments');
  if (!isFields(content) || content.type !== 'markdown' || typeof content.markdown !== 'string') {
    throw new SlackApiError('canvas_creation_failed', { detail: "'content' error: not markdown" });
  }
  const id = state.nextId('F');
  const created = Math.floor(state.now() / 1_000);
  const { markdown } = content;
  state.canvases.set(id, { id, channel: channel.id, title: args.string('title') ?? '', markdown, created });
  return { canvas_id: id };
}

function lookup(args: Args, { state }: Workspace): Fields {
  const criteria = args.json('criteria', 'invalid_arguments');
  const words = isFields(criteria) ? criteria.contains_text : undefined;
  if (typeof words !== 'string') throw new SlackApiError('invalid_arguments');
  const lines = canvasById(state, args.need('canvas_id')).markdown.split('\n').map(canvasWords);
  const found = lines.flatMap((line, at) => (line.includes(words) ? [{ id: `temp:C:${at}` }] : []));
  return { sections: found };
}

function list(args: Args, { state }: Workspace): Fields {
  const since = args.whole('ts_from', 0);
  const count = args.whole('count', 100);
  const isBots = [undefined, state.world.bot.userId].includes(args.string('user'));
  const all = isBots ? [...state.canvases.values()].filter(({ created }) => created >= since) : [];
  const files = all.slice(0, count).map((one) => fileJson(state, one));
  const pages = Math.max(1, Math.ceil(all.length / count));
  return { files, paging: { count, total: all.length, page: 1, pages } };
}

function info(args: Args, { state }: Workspace): Fields {
  return { file: fileJson(state, canvasById(state, args.need('file'))) };
}

function canvasById(state: SlackState, id: string): Canvas {
  const found = state.canvases.get(id);
  if (found === undefined) throw new SlackApiError('canvas_not_found');
  return found;
}

function fileJson(state: SlackState, { id, title, created, channel }: Canvas): Fields {
  const { team, bot } = state.world;
  return {
    ...{ id, created, timestamp: created, title, name: title, user: bot.userId, channels: [channel] },
    ...{ mimetype: 'application/vnd.slack-docs', filetype: 'quip', pretty_type: 'Canvas', mode: 'quip' },
    permalink: `https://${team.domain}.slack.com/docs/${team.id}/${id}`,
  };
}

/** A line of Markdown without its marks and backslashes. */
function canvasWords(line: string): string {
  return line.replace(/^(?:#+|-) /, '').replaceAll(/\\(?=[^\w\s])/g, '');
}

/** A canvas for the browser: headings, lists and paragraphs. */
export function canvasPage({ title, markdown }: Canvas): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const tags = { '## ': 'h2', '- ': 'li' } as const;
  const lines = markdown.split('\n').filter((line) => line.trim() !== '');
  const body = lines.map((line) => {
    const tag = tags[/^(?:## |- )/.exec(line)?.[0] as keyof typeof tags] ?? 'p';
    return `<${tag}>${escaped(canvasWords(line))}</${tag}>`;
  });
  const style = 'body{font:15px/1.5 system-ui;max-width:44rem;margin:1.5rem auto;padding:0 1rem}';
  const head = `<meta name="viewport" content="width=device-width"><style>${style}</style>`;
  return `<!doctype html><title>${escaped(title)}</title>${head}<h1>${escaped(title)}</h1>${body.join('')}`;
}
