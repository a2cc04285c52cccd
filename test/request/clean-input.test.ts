import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptRequest, cleanText, type Incoming } from '../../src/request/clean-input.ts';

const incoming: Incoming = {
  teamId: 'T0',
  text: 'count P1 in OPS',
  via: 'command',
  requester: 'U0BEN',
  channel: 'C0OPS',
  threadTs: null,
  quoted: null,
};
const about = { id: 'r1', now: new Date(0) };

describe('a request', () => {
  test('has plain apostrophes where a phone typed others, and the quotation marks that were typed', () => {
    expect(cleanText('don’t page, l’astreinte dort; tell #ops ‘we’re on it’')).toBe(
      "don't page, l'astreinte dort; tell #ops ‘we're on it’",
    );
  });

  test('is what the person meant: Slack references and escapes undone, control characters gone', () => {
    expect(
      cleanText(
        ' tell <#C0OPS|ops> and <@U0ANA|ana>\u0000\u202e that a &lt; b &amp;&amp; see <https://x.test/a|this> ',
      ),
    ).toBe('tell #ops and @ana that a < b && see this (https://x.test/a)');
    expect(
      cleanText(
        'ask <!subteam^S0SRE|@sre> or <!subteam^S1|sre2>, <!here> <!channel|@channel> by <!date^1^{date}|3 May>: ' +
          '<http://acme.example|acme.example> <https://x.test/b|https://x.test/b> <mailto:a@x.test|a@x.test> <@U0ANA> <#C1|>',
      ),
    ).toBe('ask @sre or @sre2, @here @channel by 3 May: acme.example https://x.test/b a@x.test @U0ANA #C1');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(cleanText(text)).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
      }),
    );
  });

  test('is refused when it is empty or too long', () => {
    const why = (change: Partial<Incoming>) => {
      const accepted = acceptRequest({ ...incoming, ...change }, about);
      return accepted.ok ? accepted.request.goal : accepted.why;
    };
    expect(why({ text: ' \u0000\n ' })).toBe('empty');
    expect(why({ text: 'x'.repeat(10_000) })).toBe('too_long');
    expect(why({})).toBe('count P1 in OPS');
    expect(why({ text: '', quoted: 'disk full on db-1' })).toBe('Plan from this message');
  });
});
