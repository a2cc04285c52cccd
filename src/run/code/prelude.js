// Runs inside the sandbox before the source of a step. Its value calls that function and words what came of it. The
// source can bend what is used here, but only to its own harm: nothing of the bot is in reach, and the answer is checked.
(() => {
  const { parse, stringify } = JSON;
  const { freeze, getPrototypeOf, values } = Object;

  for (const made of [() => 0, function* () {}]) delete getPrototypeOf(made).constructor;
  for (const name of ['Function', 'eval']) delete globalThis[name];
  delete Math.random;

  const frozen = (value) => {
    if (typeof value !== 'object' || value === null) return value;
    for (const each of values(value)) frozen(each);
    return freeze(value);
  };

  const worded = ({ name, message, stack }) => {
    if (name === 'InternalError' && message === 'out of memory') return { why: 'memory' };
    if (message === 'stack overflow' || message === 'Maximum call stack size exceeded')
      return { why: 'depth' };
    return { why: 'threw', words: `${message}`.slice(0, 200), stack: `${stack}`.slice(0, 400) };
  };

  return (made, inputs, max) => {
    let isNumber = true;
    try {
      const json = stringify(made(...frozen(parse(inputs))), (_key, value) => {
        if (typeof value === 'number' && !Number.isFinite(value)) isNumber = false;
        return value;
      });
      if (!isNumber) return stringify({ why: 'not_finite' });
      if (json !== undefined && json.length > max) return stringify({ why: 'size' });
      return stringify({ json: json ?? 'null' });
    } catch (error) {
      return stringify(error instanceof Error ? worded(error) : { why: 'threw' });
    }
  };
})();
