import type { MarkdownBlock, RichTextBlock } from '@slack/types';
import { type Block, Message } from 'slack-blocks-to-jsx';
import { ExternalLink } from '../external-link.tsx';
import { useSandbox } from '../sandbox-context.ts';
import { safeUrl } from './mrkdwn.ts';
import { formatSlackDate } from './slack-date.ts';
import { Mention } from './text.tsx';

/**
 * slack-blocks-to-jsx draws rich text and Markdown. Its mrkdwn is not used: version 1.1 unescapes `&lt;` and `&gt;`
 * before parsing, so escaped data would show as a live mention or link, and its buttons do nothing.
 */
export function LibraryBlock({ block }: { block: RichTextBlock | MarkdownBlock }) {
  const { theme } = useSandbox();
  return (
    <Message
      withoutWrapper
      name=""
      logo=""
      theme={theme}
      blocks={[block as Block]}
      hooks={{
        user: ({ id }) => <Mention kind="user" id={id} />,
        channel: ({ id }) => <Mention kind="channel" id={id} />,
        usergroup: ({ id }) => <Mention kind="group" id={id} />,
        emoji: ({ name }) => <span>{`:${name}:`}</span>,
        date: ({ timestamp, format, fallback }) =>
          formatSlackDate(Number(timestamp), format, fallback || format, new Date()),
        link: ({ href, children }) => {
          const url = safeUrl(href);
          return url === undefined ? children : <ExternalLink url={url}>{children}</ExternalLink>;
        },
      }}
    />
  );
}
