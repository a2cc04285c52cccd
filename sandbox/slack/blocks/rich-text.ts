import { blockId } from './composition.ts';
import {
  byType,
  choice,
  flag,
  list,
  type Members,
  may,
  need,
  number,
  object,
  type Rule,
  string,
  url,
} from './rules.ts';

const style = may(
  object({
    bold: may(flag),
    italic: may(flag),
    strike: may(flag),
    code: may(flag),
    underline: may(flag),
    highlight: may(flag),
    client_highlight: may(flag),
    unlink: may(flag),
  }),
);
const typed: Members = { type: need(string()) };
const styled: Members = { ...typed, style };

const inline: Readonly<Record<string, Rule>> = {
  text: object({ ...styled, text: need(string({ min: 1 })) }),
  link: object({ ...styled, url: need(url), text: may(string()), unsafe: may(flag) }),
  emoji: object({
    ...styled,
    name: need(string({ min: 1 })),
    unicode: may(string()),
    url: may(url),
    skin_tone: may(number()),
  }),
  user: object({ ...styled, user_id: need(string({ min: 1 })) }),
  usergroup: object({ ...styled, usergroup_id: need(string({ min: 1 })) }),
  channel: object({ ...styled, channel_id: need(string({ min: 1 })) }),
  team: object({ ...styled, team_id: need(string({ min: 1 })) }),
  broadcast: object({ ...styled, range: need(choice('here', 'channel', 'everyone')) }),
  color: object({ ...styled, value: need(string({ min: 1 })) }),
  date: object({
    ...styled,
    timestamp: need(number()),
    format: need(string({ min: 1 })),
    url: may(url),
    fallback: may(string()),
  }),
};

const inlines = list(byType(() => inline));
const border = may(choice(0, 1));
const section = object({ ...typed, elements: need(inlines) });
const preformatted = object({ ...typed, elements: need(inlines), border, language: may(string()) });
const quote = object({ ...typed, elements: need(inlines), border });

const groups: Readonly<Record<string, Rule>> = {
  rich_text_section: section,
  rich_text_preformatted: preformatted,
  rich_text_quote: quote,
  rich_text_list: object({
    ...typed,
    style: need(choice('bullet', 'ordered')),
    elements: need(
      list(
        byType(() => ({ rich_text_section: section })),
        { min: 1 },
      ),
    ),
    indent: may(number({ min: 0, max: 8 })),
    offset: may(number({ min: 0 })),
    border,
  }),
};

/** The rich_text block, also used in cells, task cards and inputs. */
export const richText: Rule = object({
  type: need(choice('rich_text')),
  block_id: may(blockId),
  elements: need(list(byType(() => groups))),
});
