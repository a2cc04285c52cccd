import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Alarm } from '../../src/core/watch.ts';
import { type AlarmRules, afterCheck, type CheckResult, quiet } from '../../src/watches/alarm.ts';
import '../support/properties.ts';

const rules: AlarmRules = { worse: { by: 10, unit: 'number' }, failures: 3 };
const at = '2026-03-02T09:00:00.000Z';
const over = (value: number): CheckResult => ({ kind: 'true', measured: { value, worse: 1 } });

function said(looks: readonly CheckResult[], by = rules): string[] {
  let alarm: Alarm = quiet;
  return looks.map((look) => {
    const heard = afterCheck(alarm, look, by, at);
    alarm = heard.alarm;
    return heard.events.join(' ');
  });
}

test('stays silent while nothing is wrong', () => {
  expect(said([{ kind: 'false' }, { kind: 'false' }])).toEqual(['', '']);
});

test('reports when it begins, when it is a step worse, and when it is over', () => {
  const looks = [
    over(31),
    over(40),
    over(41),
    over(45),
    over(35),
    over(51),
    { kind: 'false' } as const,
    over(32),
  ];
  expect(said(looks)).toEqual(['began', '', 'worse', '', '', 'worse', 'over', 'began']);
});

test('a step in percent is relative to the last reported value', () => {
  const looks = [over(100), over(119), over(120), over(143), over(144)];
  expect(said(looks, { ...rules, worse: { by: 20, unit: 'percent' } })).toEqual([
    'began',
    '',
    'worse',
    '',
    'worse',
  ]);
});

test('where less is worse, a lower value is reported', () => {
  const under = (value: number): CheckResult => ({ kind: 'true', measured: { value, worse: -1 } });
  expect(said([under(30), under(35), under(20)])).toEqual(['began', '', 'worse']);
});

test('failed checks and the recovery are reported once; in between they decide nothing', () => {
  const unclear: CheckResult = { kind: 'unclear' };
  const looks = [over(31), unclear, unclear, unclear, unclear, over(31), unclear, over(31)];
  expect(said(looks)).toEqual(['began', '', '', 'failing', '', 'works', '', '']);
});

test('for any readings, begin and end alternate, and only an active alarm gets worse', () => {
  const look: fc.Arbitrary<CheckResult> = fc.oneof(
    fc.integer({ min: -100, max: 100 }).map(over),
    fc.constantFrom<CheckResult>({ kind: 'false' }, { kind: 'unclear' }, { kind: 'true', measured: null }),
  );
  fc.assert(
    fc.property(fc.array(look, { maxLength: 40 }), (looks) => {
      let isOn = false;
      for (const word of said(looks).flatMap((words) => words.split(' '))) {
        if (word === 'began') {
          expect(isOn).toBe(false);
          isOn = true;
        }
        if (word === 'worse') expect(isOn).toBe(true);
        if (word === 'over') {
          expect(isOn).toBe(true);
          isOn = false;
        }
      }
    }),
  );
});
