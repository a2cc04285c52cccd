/** Why: an answer to something else reads well and is wrong; words that are not understood are named, or asked about. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { finish } from '../../support/scenario.ts';
import { labelsOf, Workspace, wordsOf } from '../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await Workspace.start();
});
afterAll(() => finish(workspace));

test('a short form of a vetted query is read as its name, and the answer says so', async () => {
  for (const [asked, shown] of [
    ['errs checkout last 15 min', /I read “errs” as “errors”/],
    ['exceptions checkout last hour', /Azure logs: \d+ errors of checkout/],
  ] as const) {
    await workspace.plan('ben', asked);
    const answer = await workspace.card(asked);
    expect.soft(wordsOf(answer), asked).toMatch(shown);
    expect.soft(wordsOf(answer), asked).not.toMatch(/ 0 /);
  }
});

test('the count of a text search is one of log entries with these words', async () => {
  await workspace.plan('ben', 'timeouts checkout last 15 min');
  const answer = await workspace.card('timeouts checkout last 15 min');
  expect(wordsOf(answer)).toMatch(/\d+ entries of checkout with “timeouts”/);
  expect(wordsOf(answer)).not.toMatch(/\d+ timeouts/);
});

test('an unknown verb gets no answer to something else, but what can be looked up about the service', async () => {
  for (const asked of ['who broke checkout', 'bitte checkout zurückrollen']) {
    await workspace.plan('eva', asked);
    const question = await workspace.card(asked);
    expect.soft(wordsOf(question), asked).toMatch(/I’m not sure about “(?:broke|zurückrollen)”/);
    const labels = labelsOf(question.blocks);
    expect.soft(labels, asked).toContain('deploys of checkout');
    expect.soft(labels.join(), asked).not.toMatch(/on call|on-call|page/i);
  }
});

test('“y” asks for the causes, as “why” does', async () => {
  await workspace.plan('eva', 'y is checkout so slow');
  expect(wordsOf(await workspace.card('y is checkout so slow'))).toMatch(/cause/i);
});

test('a verb around its object orders the same as in front of it', async () => {
  await workspace.plan('ben', 'roll checkout back');
  expect(wordsOf(await workspace.card('roll checkout back'))).toMatch(/Roll back checkout/);
});

test('“the last deploy” and “the previous version” are no version, and are asked about', async () => {
  for (const [asked, word] of [
    ['undo last deploy of checkout', 'last'],
    ['roll back checkout to the previous version', 'previous'],
  ] as const) {
    await workspace.plan('ben', asked);
    const question = await workspace.card(asked);
    expect.soft(wordsOf(question), asked).toContain(`I’m not sure about “${word}”`);
    expect.soft(labelsOf(question.blocks), asked).toEqual(['Roll back checkout']);
  }
});

test('an order between other words is offered without them, and they are named', async () => {
  for (const [asked, named] of [
    ['checkout throws 500s. roll it back', 'throws 500s'],
    ['who is on call for checkout and roll back checkout', 'call'],
  ] as const) {
    await workspace.plan('ben', asked);
    const question = await workspace.card(asked);
    expect.soft(wordsOf(question), asked).toContain(`I’m not sure about “${named}”`);
    expect.soft(labelsOf(question.blocks), asked).toEqual(['Roll back checkout']);
  }
});

test('neither “don’t” nor another service becomes the version of a rollback, nor is left out of it', async () => {
  for (const asked of ["don't roll back checkout", 'roll back checkout and payments-api']) {
    // As phones type it.
    await workspace.plan('ben', asked.replace("'", '’'));
    const question = await workspace.card(asked);
    expect.soft(wordsOf(question), asked).toContain('I did not understand all of this');
    expect.soft(labelsOf(question.blocks), asked).not.toContain('Approve');
    expect.soft(labelsOf(question.blocks).join(), asked).not.toMatch(/roll back/i);
  }
});

test('a share in percent is asked about, not taken for a number of errors', async () => {
  const asked = 'watch error rate of checkout and page me if it is above 5%';
  await workspace.plan('ben', asked);
  expect(wordsOf(await workspace.card(asked))).toContain('I’m not sure about “5%”');
});

test('a refusal names the words that were not understood where others are known here', async () => {
  await workspace.plan('ben', 'snooze the checkout incident');
  await workspace.whisper('ben', /I didn’t understand that[\s\S]*“snooze”/);
});

test('no search is offered that no vetted query can make', async () => {
  await workspace.plan('ben', 'is the db ok');
  const question = await workspace.card('is the db ok');
  expect(labelsOf(question.blocks).join()).not.toMatch(/Query the database for/);
  await workspace.plan('ben', 'sql.query about="db ok"');
  await workspace.whisper('ben', /no query here can search for “db ok”; you can ask for failed orders/i);
});

test.each([
  ['stop watching checkout', /no watches you can see/],
  ['stop the checkout watch', /no watches you can see/],
  ['can dev approve a page for payments', /Who may approve/],
  ['who approved the last page', /^History/],
  ['what did you do in the last 2 hours', /^History/],
  ['hi', /What should I plan/],
  ['thx', /You’re welcome/],
  ['are you ok?', /Writes are allowed/],
])('the bot answers about itself: %s', async (asked, answer) => {
  await workspace.plan('dev', asked);
  await workspace.whisper('dev', answer);
});
