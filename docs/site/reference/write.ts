import { writeFileSync } from 'node:fs';
import { referencePages } from './pages.ts';

/** `npm run docs:reference`: writes them anew. */
for (const [file, text] of Object.entries(referencePages())) {
  writeFileSync(new URL(`../../../${file}`, import.meta.url), text);
}
