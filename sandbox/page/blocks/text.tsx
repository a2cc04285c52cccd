import type { TextObject } from '@slack/types';
import { Fragment, type ReactNode } from 'react';
import { ExternalLink } from '../external-link.tsx';
import { useDirectory } from '../sandbox-context.ts';
import { keyAt } from './keys.ts';
import { type Inline, type Paragraph, parseMrkdwn } from './mrkdwn.ts';
import { formatSlackDate } from './slack-date.ts';

export function Text({ text }: { text: TextObject }) {
  if (text.type === 'plain_text') return text.text;
  return <Mrkdwn text={text.text} />;
}

export function Mrkdwn({ text }: { text: string }) {
  return (
    <div className="mrkdwn">{parseMrkdwn(text).map((part, index) => paragraph(part, keyAt(index)))}</div>
  );
}

export function Mention({
  kind,
  id,
  label,
}: {
  kind: 'user' | 'channel' | 'group';
  id: string;
  label?: string;
}) {
  const directory = useDirectory();
  const sign = kind === 'channel' ? '#' : '@';
  return (
    <span className="mention" data-mention={id}>
      {sign}
      {directory.nameOf(id) ?? label ?? id}
    </span>
  );
}

function paragraph(part: Paragraph, key: string): ReactNode {
  if (part.kind === 'preformatted') return <pre key={key}>{part.text}</pre>;
  const children = part.children.map((one, index) => inline(one, keyAt(index)));
  return part.kind === 'quote' ? <blockquote key={key}>{children}</blockquote> : <p key={key}>{children}</p>;
}

function inline(one: Inline, key: string): ReactNode {
  switch (one.kind) {
    case 'text':
      return <Fragment key={key}>{one.text}</Fragment>;
    case 'bold':
      return <strong key={key}>{one.children.map((child, index) => inline(child, keyAt(index)))}</strong>;
    case 'italic':
      return <em key={key}>{one.children.map((child, index) => inline(child, keyAt(index)))}</em>;
    case 'strike':
      return <s key={key}>{one.children.map((child, index) => inline(child, keyAt(index)))}</s>;
    case 'code':
      return <code key={key}>{one.text}</code>;
    case 'link':
      return (
        <ExternalLink key={key} url={one.url}>
          {one.label}
        </ExternalLink>
      );
    case 'broadcast':
      return (
        <span key={key} className="mention mention-broadcast">
          @{one.range}
        </span>
      );
    case 'emoji':
      return <span key={key}>{`:${one.name}:`}</span>;
    case 'date': {
      const shown = formatSlackDate(one.unix, one.format, one.fallback, new Date());
      const time = <time dateTime={new Date(one.unix * 1000).toISOString()}>{shown}</time>;
      return (
        <Fragment key={key}>{one.url ? <ExternalLink url={one.url}>{time}</ExternalLink> : time}</Fragment>
      );
    }
    default:
      return <Mention key={key} kind={one.kind} id={one.id} {...(one.label ? { label: one.label } : {})} />;
  }
}
