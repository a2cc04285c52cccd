import { afterEach, expect, test } from 'vitest';
import { createWiki } from '../../../src/vendors/confluence/pages.ts';
import { type Expected, mockHost } from '../../support/http-mock.ts';

const open: ReturnType<typeof mockHost>[] = [];
const signal = () => AbortSignal.timeout(5_000);
const space = { results: [{ id: '65538', key: 'OPS', name: 'Operations' }] };
const about = { space: 'OPS', title: 'Disk full' };

afterEach(() => {
  for (const mock of open.splice(0)) mock.done();
});

function wiki(...answers: Omit<Expected, 'path'>[]) {
  const mock = mockHost('https://acme.atlassian.net');
  open.push(mock);
  for (const answer of [{ method: 'GET', status: 200, answer: space } as const, ...answers])
    mock.expect({ path: /^\/wiki\/api\/v2\/(?:spaces|pages)/, ...answer });
  const host = 'https://acme.atlassian.net/wiki';
  const now = () => new Date('2026-03-10T12:00:00Z');
  return { mock, ...createWiki({ host, email: 'bot@acme.example', apiToken: 'secret', fetch, now }) };
}

const stored = (value: string) => ({
  ...{ id: '98400', title: 'Disk full', _links: { webui: '/spaces/OPS/pages/98400/Disk+full' } },
  body: { storage: { value, representation: 'storage' } },
});
const mark = '<ac:parameter ac:name="">countersign-cs-1-page</ac:parameter>';

test('text becomes escaped paragraphs, headings and lists, and adds no macro or tag', async () => {
  const { mock, writer } = wiki({ method: 'POST', status: 200, answer: stored('') });
  const text = [
    'It was <b>&amp;</b> "full"',
    '',
    '## Time]]>line',
    '- one <ac:structured-macro ac:name="html">',
    '- two </p><script>',
    'end \u202E',
  ].join('\n');
  const made = await writer.create({ ...about, text, mark: 'cs-1-page' }, signal());
  expect(made).toEqual({
    id: '98400',
    url: 'https://acme.atlassian.net/wiki/spaces/OPS/pages/98400/Disk+full',
  });
  const body = mock.requests[1]?.body as { spaceId: string; body: { value: string } };
  expect(body).toMatchObject({ spaceId: '65538', status: 'current', title: 'Disk full' });
  expect(body.body.value).toBe(
    '<p>It was &lt;b&gt;&amp;amp;&lt;/b&gt; &quot;full&quot;</p><h2>Time]]&gt;line</h2>' +
      '<ul><li><p>one &lt;ac:structured-macro ac:name=&quot;html&quot;&gt;</p></li>' +
      '<li><p>two &lt;/p&gt;&lt;script&gt;</p></li></ul><p>end </p>' +
      `<p><ac:structured-macro ac:name="anchor">${mark}</ac:structured-macro></p>`,
  );
});

test('a page is found by its title, with the marks in it', async () => {
  const { mock, reader } = wiki({
    method: 'GET',
    status: 200,
    answer: { results: [stored(`<p>x</p>${mark}`)] },
  });
  const found = await reader.pageTitled(about, signal());
  expect(found).toMatchObject({ id: '98400', marks: ['cs-1-page'] });
  const { searchParams } = new URL(mock.requests[1]?.path ?? '', 'https://x.example');
  expect(Object.fromEntries(searchParams)).toMatchObject({ 'space-id': '65538', title: 'Disk full' });
});

const taken = { errors: [{ status: 400, title: 'A page with this title already exists' }] };

test('a title taken by a late write of the same run is that write, and any other is a refusal', async () => {
  const asked = { ...about, text: 'x', mark: 'cs-1-page' };
  const refused = { method: 'POST', status: 400, answer: taken } as const;
  const again = { method: 'GET', status: 200, answer: space } as const;
  const own = wiki(refused, again, { method: 'GET', status: 200, answer: { results: [stored(mark)] } });
  expect(await own.writer.create(asked, signal())).toMatchObject({ id: '98400' });
  for (const mock of open.splice(0)) mock.done();
  const other = wiki(refused, again, {
    method: 'GET',
    status: 200,
    answer: { results: [stored('<p>x</p>')] },
  });
  await expect(other.writer.create(asked, signal())).rejects.toMatchObject({
    ...{ code: 'refused', mayHaveHappened: false },
    message: expect.stringContaining('title already exists'),
  });
});

test.each([
  [{ status: 503 }, { code: 'vendor_down', mayHaveHappened: true }],
  [
    { status: 200, answer: { id: 7 } },
    { code: 'bad_answer', mayHaveHappened: true },
  ],
  [{ status: 403 }, { code: 'forbidden', mayHaveHappened: false }],
])('a creation answered with %j says whether the page may exist', async (answer, error) => {
  const { writer } = wiki({ method: 'POST', ...answer });
  const creating = writer.create({ ...about, text: 'x', mark: 'm' }, signal());
  await expect(creating).rejects.toMatchObject(error);
});

test('a space that the account does not see is an argument to change', async () => {
  const { reader } = wiki();
  await expect(reader.space('HR', signal())).rejects.toMatchObject({ code: 'no_space' });
});
