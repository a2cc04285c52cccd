import type {
  ActionsBlock,
  ActionsBlockElement,
  Button,
  ConfirmationDialog,
  ContainerBlock,
  ContextBlock,
  DividerBlock,
  HeaderBlock,
  MrkdwnElement,
  PlainTextElement,
  SectionBlock,
} from '@slack/types';
import { cut, oneLine } from '../core/clean-text.ts';
import { escapeMrkdwn } from './escape.ts';
import { limits } from './limits.ts';

/** Text that Slack does not parse, truncated to `max`. */
export function plain(text: string, max: number = limits.sectionText): PlainTextElement {
  return { type: 'plain_text', text: cut(oneLine(text), max) || ' ', emoji: false };
}

/** mrkdwn that is already safe, made by `md`. */
export type Marked = MrkdwnElement & { readonly type: 'mrkdwn' };

/**
 * mrkdwn from a template: the template is ours, the values are data and get escaped. `verbatim` keeps Slack from
 * turning plain names and addresses into links.
 */
export function md(words: TemplateStringsArray, ...values: readonly (string | number | Marked)[]): Marked {
  const parts = words.map((word, index) => {
    const value = values[index];
    if (value === undefined) return word;
    return `${word}${typeof value === 'object' ? value.text : escapeMrkdwn(String(value))}`;
  });
  return { type: 'mrkdwn', text: parts.join(''), verbatim: true };
}

/** `<@U…>`, for ids that came from Slack itself. */
export function mention(userId: string): Marked {
  const text = /^[UW][A-Z0-9]{2,}$/.test(userId) ? `<@${userId}>` : escapeMrkdwn(userId);
  return { type: 'mrkdwn', text, verbatim: true };
}

export function channelLink(channelId: string): Marked {
  const text = /^[CDG][A-Z0-9]{2,}$/.test(channelId) ? `<#${channelId}>` : escapeMrkdwn(channelId);
  return { type: 'mrkdwn', text, verbatim: true };
}

/** A live link. Only for addresses from us or Slack, never from data. */
export function addressLink(url: string, text: string): Marked {
  const safe = /^https?:\/\/[^\s<>|]+$/.test(url);
  return {
    type: 'mrkdwn',
    text: safe ? `<${url}|${escapeMrkdwn(text)}>` : escapeMrkdwn(url),
    verbatim: true,
  };
}

export function header(text: string, blockId?: string): HeaderBlock {
  return { type: 'header', ...id(blockId), text: plain(text, limits.header) };
}

export function section(text: Marked, blockId?: string): SectionBlock {
  return { type: 'section', ...id(blockId), text, expand: true };
}

export function context(texts: readonly (Marked | PlainTextElement)[], blockId?: string): ContextBlock {
  return { type: 'context', ...id(blockId), elements: texts.slice(0, limits.contextElements) };
}

export function divider(): DividerBlock {
  return { type: 'divider' };
}

export function actions(elements: readonly ActionsBlockElement[], blockId?: string): ActionsBlock {
  return { type: 'actions', ...id(blockId), elements: [...elements] };
}

/** Collapsible blocks. Not every Slack client supports them, so the caller needs a fallback message. */
export function folded(
  title: string,
  children: readonly ContainerBlock['child_blocks'][number][],
  blockId?: string,
): ContainerBlock {
  const fold = { is_collapsible: true, default_collapsed: true } as const;
  return {
    type: 'container',
    ...id(blockId),
    title: plain(title, limits.header),
    ...fold,
    child_blocks: [...children],
  };
}

export function button(of: {
  text: string;
  action: string;
  value: string;
  style?: 'primary' | 'danger';
  confirm?: ConfirmationDialog;
}): Button {
  return {
    type: 'button',
    action_id: of.action,
    text: plain(of.text, limits.buttonText),
    value: of.value,
    ...(of.style ? { style: of.style } : {}),
    ...(of.confirm ? { confirm: of.confirm } : {}),
  };
}

export function confirmation(of: {
  title: string;
  text: string;
  yes: string;
  no: string;
  style?: 'primary' | 'danger';
}): ConfirmationDialog {
  return {
    title: plain(of.title, limits.confirmTitle),
    text: plain(of.text, limits.confirmText),
    confirm: plain(of.yes, limits.confirmButton),
    deny: plain(of.no, limits.confirmButton),
    ...(of.style ? { style: of.style } : {}),
  };
}

function id(blockId: string | undefined): { block_id?: string } {
  return blockId === undefined ? {} : { block_id: blockId };
}
