import { canonicalJson } from '../../core/canonical.ts';
import { fieldInfo } from '../../core/fields.ts';
import { type Finding, finding } from '../../core/finding.ts';
import type { Rule } from '../rule.ts';

/** No plan pages anyone twice or repeats a write: same tool, same targets, same condition. */
export const repeatedWriteRule: Rule = ({ plan, scope }) => {
  const seen = new Map<string, string>();
  const findings: Finding[] = [];
  for (const step of plan.steps) {
    const manifest = scope.get(step.id);
    if (manifest?.effect !== 'write') continue;
    const args = Object.entries(step.args).filter(([name]) => {
      const schema = manifest.args.shape[name];
      const kind = schema === undefined ? undefined : fieldInfo(schema).target;
      return manifest.oncePer === undefined || kind === manifest.oncePer;
    });
    const key = canonicalJson([step.tool, step.when ?? null, Object.fromEntries(args)]);
    const first = seen.get(key);
    if (first !== undefined) {
      findings.push(finding('repeated_write', step.id, 'tool', `does the same as ${first}; once is enough`));
    } else {
      seen.set(key, step.id);
    }
  }
  return findings;
};
