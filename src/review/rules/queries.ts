import { finding } from '../../core/finding.ts';
import { fittingFor } from '../../core/queries/bind.ts';
import type { Rule } from '../rule.ts';

/** A search that names no vetted query is one that a vetted query here can make. */
export const queryRule: Rule = ({ plan, catalogue }) =>
  plan.steps.flatMap(({ id, tool, args }) => {
    const language = catalogue.manifests.get(tool)?.queries;
    const own = (catalogue.queries ?? []).filter((one) => one.language === language);
    const isExact = args.named !== undefined || args.query !== undefined;
    if (language === undefined || own.length === 0 || isExact || fittingFor(own, args).length > 0) return [];
    const sought = typeof args.about === 'string' ? `search for “${args.about}”` : 'answer this';
    const vetted = own.map(({ name, says: [called = name] }) => called).slice(0, 5);
    return [
      finding('no_query', id, 'args', `no query here can ${sought}; you can ask for ${vetted.join(', ')}`),
    ];
  });
