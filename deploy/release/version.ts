import { ReleaseError } from './error.ts';

const pattern = /^(\d+)\.(\d+)\.(\d+)$/;

/** Throws a ReleaseError unless `next` is a version that comes right after `current`: 1.2.3 to 1.2.4, 1.3.0 or 2.0.0. */
export function checkNext(current: string, next: string): void {
  const [now, then] = [current, next].map((each) => pattern.exec(each)?.slice(1).map(Number));
  if (now === undefined || then === undefined) {
    throw new ReleaseError(`“${next}” is no version: three numbers with dots, such as 1.4.0.`);
  }
  const [major = 0, minor = 0, patch = 0] = now;
  const possible = [`${major}.${minor}.${patch + 1}`, `${major}.${minor + 1}.0`, `${major + 1}.0.0`];
  if (possible.includes(next)) return;
  throw new ReleaseError(`${next} does not come after ${current}: it may be ${possible.join(', ')}.`);
}
