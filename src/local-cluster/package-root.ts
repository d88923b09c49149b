import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Finds the folder of Plimsoll's own package.json: the same from `src/` and from `dist/src/`.
 * @throws Error when the program was moved out of its package, which only a broken installation does.
 */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && /"name":\s*"plimsoll"/.test(readFileSync(file, 'utf8'))) return folder;
    const parent = dirname(folder);
    if (parent === folder) throw new Error('Cannot find the package.json of plimsoll');
    folder = parent;
  }
}
