import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import type { FoundAlert } from './bounded-alert.ts';

const alarmSchema = z.object({
  AlarmName: z.string(),
  AlarmDescription: z.string().nullish(),
  AlarmArn: z.string().nullish(),
  AWSAccountId: z.string().nullish(),
  Region: z.string().nullish(),
  NewStateValue: z.enum(['ALARM', 'OK', 'INSUFFICIENT_DATA']),
  NewStateReason: z.string().nullish(),
  StateChangeTime: z.string().nullish(),
  Trigger: z
    .object({
      Namespace: z.string().nullish(),
      MetricName: z.string().nullish(),
      Dimensions: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
    })
    .nullish(),
});

/** Reads the message of a notification of SNS: an alarm of CloudWatch. Without data nothing is known, so nothing changes. */
export function readCloudWatch(message: string): { found: FoundAlert[]; leftOut: number } | null {
  const { data } = alarmSchema.safeParse(parseJson(message));
  if (data === undefined) return null;
  const { AlarmName: name, AlarmArn: arn, NewStateValue: state, Trigger: trigger } = data;
  if (state === 'INSUFFICIENT_DATA') return { found: [], leftOut: 0 };
  const isOver = state === 'OK';
  // 2026-11-29T10:00:00.000+0000
  const at = data.StateChangeTime?.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') ?? null;
  const labels = {
    ...Object.fromEntries((trigger?.Dimensions ?? []).map((one) => [one.name, one.value])),
    alarm: name,
    ...definedOnly({ account: data.AWSAccountId, region: data.Region }),
    ...definedOnly({ namespace: trigger?.Namespace, metric: trigger?.MetricName }),
  };
  const found = {
    ...{ id: arn ?? name, isOver, title: name, labels, link: '' },
    text: data.AlarmDescription || data.NewStateReason || '',
    since: isOver ? null : at,
    until: isOver ? at : null,
  };
  return { found: [found], leftOut: 0 };
}

function definedOnly(given: Record<string, string | null | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : [])),
  );
}
