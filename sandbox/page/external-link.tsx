import type { ReactNode } from 'react';

/** A link in a message or a page. Links to messages of this workspace stay in it, as in Slack's client. */
export function ExternalLink({ url, children }: { url: string; children: ReactNode }) {
  const inside = insideOf(url, location.search);
  if (inside !== undefined) return <a href={inside}>{children}</a>;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

/** `https://acme.slack.com/archives/C0OPS/p1700000000000100` as the page's own address of that thread. */
function insideOf(url: string, search: string): string | undefined {
  const { hostname, pathname, searchParams } = new URL(url);
  const isSlack = /(^|\.)slack\.com$/u.test(hostname);
  const canvas = /^\/docs\/[A-Z0-9]+\/(F[A-Z0-9]+)$/u.exec(pathname)?.[1];
  if (isSlack && canvas !== undefined) return `/api/slack/canvas/${canvas}`;
  const message = /^\/archives\/([CD][A-Z0-9]+)\/p(\d{10})(\d{6})$/u.exec(pathname);
  if (!message || !isSlack) return undefined;
  const [, channel = '', seconds, rest] = message;
  const query = new URLSearchParams(search);
  query.set('channel', channel.startsWith('D') ? 'dm' : channel);
  query.set('thread', searchParams.get('thread_ts') ?? `${seconds}.${rest}`);
  query.delete('pane');
  return `?${query}`;
}

/**
 * Final check of links: only http and https open, whatever drew the link. The Markdown of slack-blocks-to-jsx would
 * allow mailto, irc and xmpp.
 */
export function guardLinks(root: EventTarget): void {
  root.addEventListener(
    'click',
    (event) => {
      const anchor = event.target instanceof Element ? event.target.closest('a') : null;
      const address = anchor?.getAttribute('href');
      if (!anchor || (address && /^https?:$/u.test(anchor.protocol))) return;
      event.preventDefault();
    },
    { capture: true },
  );
}
