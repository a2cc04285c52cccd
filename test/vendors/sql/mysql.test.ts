import { expect, test } from 'vitest';
import { whyGrantsAreUnsafe } from '../../../src/vendors/sql/mysql.ts';

test.each([
  [['GRANT USAGE ON *.* TO `r`@`%`', 'GRANT SELECT, SHOW VIEW ON `shop`.* TO `r`@`%`'], null],
  [['GRANT SELECT (`id`, `state`) ON `shop`.`orders` TO `r`@`%`'], null],
  [['GRANT SELECT, INSERT ON `shop`.* TO `r`@`%`'], 'its role has INSERT.'],
  [['GRANT SELECT, UPDATE (`state`) ON `shop`.`orders` TO `r`@`%`'], 'its role has UPDATE.'],
  [['GRANT ALL PRIVILEGES ON *.* TO `r`@`%`'], 'its role has ALL PRIVILEGES.'],
  [['GRANT FILE ON *.* TO `r`@`%`'], 'its role has FILE.'],
  [['GRANT EXECUTE ON `shop`.* TO `r`@`%`'], 'its role has EXECUTE.'],
  [['GRANT SELECT ON `shop`.* TO `r`@`%` WITH GRANT OPTION'], 'its role may pass its rights on.'],
  [
    ['GRANT `writers`@`%` TO `r`@`%`'],
    'its role has a grant that cannot be judged: GRANT `writers`@`%` TO `r`@`%`.',
  ],
] as const)('a MySQL role that could write is told by its grants: %j', (grants, why) => {
  expect(whyGrantsAreUnsafe(grants)).toBe(why);
});
