/** Preloaded into a bot: its clock runs ahead by CLOCK_SHIFT_MS, so that a test need not wait for the next minute. */
const ahead = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given) =>
    given.length === 0 ? new target(target.now() + ahead) : Reflect.construct(target, given),
  get: (target, name) => (name === 'now' ? () => target.now() + ahead : Reflect.get(target, name)),
});
